import { timingSafeEqual } from 'node:crypto';
import type { Store } from '@waiver-service/store';
import type { MailLanguage } from './texts/languages.ts';

interface Services {
  readonly store: Pick<Store, 'checkInLinks' | 'invitations'>;
}

const proofOf = ({ store }: Services, pool: string, addressId: string): Promise<string> =>
  store.checkInLinks.proofOf(pool, JSON.stringify(['unsubscribe', addressId]));

/**
 * The URL at which a guest unsubscribes from a pool's messages. It contains the keyed hash of the e-mail address and a
 * proof that this service made it, so it works while the pool exists, and nothing needs to be stored for it.
 */
export async function unsubscribeUrl(
  services: Services,
  {
    pool,
    email,
    language,
    baseUrl,
  }: {
    readonly pool: string;
    readonly email: string;
    readonly language: MailLanguage;
    readonly baseUrl: string;
  },
): Promise<string> {
  const addressId = services.store.invitations.addressId(pool, email);
  const proof = await proofOf(services, pool, addressId);
  return `${baseUrl}/unsubscribe/${encodeURIComponent(pool)}/${addressId}.${proof}?language=${language}`;
}

/** The hash of a token's address; undefined if this service did not make the token for that pool. */
export async function addressOfToken(
  services: Services,
  pool: string,
  token: string,
): Promise<string | undefined> {
  const [addressId = '', proof = ''] = token.split('.');
  const given = Buffer.from(proof);
  const right = Buffer.from(await proofOf(services, pool, addressId));
  return given.length === right.length && timingSafeEqual(given, right) ? addressId : undefined;
}

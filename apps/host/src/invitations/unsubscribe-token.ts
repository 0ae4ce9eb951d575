import { timingSafeEqual } from 'node:crypto';
import type { Store } from '@waiver-service/store';
import type { MailLanguage } from './texts/languages.ts';

interface Services {
  readonly store: Pick<Store, 'checkInLinks' | 'invitations'>;
}

const proofOf = ({ store }: Services, pool: string, addressId: string): Promise<string> =>
  store.checkInLinks.proofOf(pool, JSON.stringify(['unsubscribe', addressId]));

/**
 * The address at which a guest ends the messages of a pool. It has the keyed hash of the e-mail address and a proof that
 * this service made it, so that it works for as long as the pool exists, and nothing has to be stored for it.
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

/** The hash of the address that a token is for; undefined if this service did not make it for that pool. */
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

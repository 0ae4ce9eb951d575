import type { WebhookAuth } from './webhook-endpoint.ts';

/** A change of address would send the stored credentials elsewhere, so they must be given again. */
export class CredentialsNeeded extends Error {
  override readonly name = 'CredentialsNeeded';

  constructor() {
    super('give the credentials again, since the address changed: {"type":"none"} for none');
  }
}

/**
 * A person who changes an address may not know the stored credentials, and could have them sent to another receiver, even
 * on the same host, which receivers of different people may share.
 *
 * @throws CredentialsNeeded if stored credentials would be sent to another address
 */
export function requireCredentialsFor(
  former: { readonly url: string; auth(): WebhookAuth },
  { url, auth }: { readonly url?: string | undefined; readonly auth?: WebhookAuth | undefined },
): void {
  if (url === undefined || auth !== undefined || new URL(url).href === new URL(former.url).href) return;
  if (former.auth().type !== 'none') throw new CredentialsNeeded();
}

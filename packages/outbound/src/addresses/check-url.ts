import { isIP } from 'node:net';
import { NameNotResolved } from '../names/name-not-resolved.ts';
import { AddressRefused } from './address-refused.ts';
import { findOpenAddresses, type GuardedNames } from './guarded-connector.ts';

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new AddressRefused('this is not an absolute URL: write it with its scheme, https://…');
  return url;
}

/**
 * Checks an address when it is set. Rejects with {@link AddressRefused}. What a name resolves to is checked again,
 * and decided, each time a connection is made.
 */
export async function checkUrl(names: GuardedNames, text: string): Promise<void> {
  const { guard } = names;
  const url = parse(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(`the scheme ${url.protocol} is refused: use https`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefused('a user or a password in the URL is refused: it would end in logs');
  }
  if (url.protocol === 'http:' && !guard.opensPlainHttp) {
    throw new AddressRefused('plain http is refused: use https, or put the address into OUTBOUND_ALLOW');
  }
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const literalRefusal = isIP(hostname) ? guard.refusalOf(hostname, url.protocol) : undefined;
  if (literalRefusal !== undefined) throw new AddressRefused(literalRefusal);
  if (isIP(hostname)) return;
  await findOpenAddresses(names, hostname, url.protocol).catch((error: unknown) => {
    // A name that does not resolve now is judged when something is sent: a partner may be set up before its DNS is.
    if (!(error instanceof NameNotResolved)) throw error;
  });
}

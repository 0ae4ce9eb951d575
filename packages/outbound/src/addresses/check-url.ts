import { isIP } from 'node:net';
import type { AddressGuard } from './address-guard.ts';
import { AddressRefused } from './address-refused.ts';
import { guardLookup } from './guarded-connector.ts';

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new AddressRefused('this is not an absolute URL: write it with its scheme, https://…');
  return url;
}

// A name that does not resolve now is judged when something is sent: a partner may be set up before its DNS is.
function refusalOfName(
  guard: AddressGuard,
  url: URL,
  timeoutMs: number,
): Promise<AddressRefused | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    guardLookup(guard, url.protocol)(url.hostname, { all: true }, (error) => {
      clearTimeout(timer);
      resolve(error instanceof AddressRefused ? error : undefined);
    });
  });
}

/**
 * Checks an address when it is set. Rejects with {@link AddressRefused}. What a name resolves to is checked again,
 * and decided, each time a connection is made.
 */
export async function checkUrl(guard: AddressGuard, text: string, timeoutMs: number): Promise<void> {
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
  const refusal = await refusalOfName(guard, url, timeoutMs);
  if (refusal) throw refusal;
}

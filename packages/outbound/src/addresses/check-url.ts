import { isIP } from 'node:net';
import { NameNotResolved } from '../names/query-addresses.ts';
import { AddressRefused } from './address-guard.ts';
import { type GuardedNames, resolveAllowed, withoutBrackets } from './guarded-connector.ts';

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new AddressRefused('this is not an absolute URL: write it with its scheme, https://…');
  return url;
}

/**
 * Checks a URL when it is configured, for early feedback. Each connection checks the resolved address again.
 *
 * @throws AddressRefused
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
  if (url.protocol === 'http:' && !guard.allowsPlainHttp) {
    throw new AddressRefused('plain http is refused: use https, or put the address into OUTBOUND_ALLOW');
  }
  const hostname = withoutBrackets(url.hostname);
  if (isIP(hostname)) {
    const refusal = guard.refusalOf(hostname, url.protocol);
    if (refusal !== undefined) throw new AddressRefused(refusal);
    return;
  }
  try {
    await resolveAllowed(names, hostname, url.protocol);
  } catch (error) {
    // A partner may be configured before its DNS is.
    if (!(error instanceof NameNotResolved)) throw error;
  }
}

import type { IncomingHttpHeaders } from 'node:http';

/** Names the cells that have sent a request on, in their order. */
export const forwardedByHeader = 'waiver-service-forwarded-by';

/** How many cells may have sent a request on. */
export const maxHops = 3;

/**
 * The cells that have sent a request on, as it says. Anyone can write this header: the more names it has, the fewer cells
 * the request is sent on to, and nothing else follows from it.
 */
export function cellsBefore({ [forwardedByHeader]: value = [] }: IncomingHttpHeaders): readonly string[] {
  return [value]
    .flat()
    .flatMap((text) => text.split(','))
    .map((name) => name.trim());
}

// Hop-by-hop headers, proxy headers that this cell sets itself, and the console's session cookie.
const ownToThisCell = new Set([
  'connection',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-real-ip',
  forwardedByHeader,
]);

const isOwn = (name: string) => ownToThisCell.has(name) || name.startsWith('x-forwarded-');

const namedIn = (connection: string | string[] | undefined) =>
  new Set(
    [connection ?? []].flat().flatMap((text) => text.split(',').map((name) => name.trim().toLowerCase())),
  );

/** A request that is sent on. */
export interface ForwardedRequest {
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[];
  readonly connection: string | undefined;
  /** The client's address, by the rules of `TRUST_PROXY`. */
  readonly clientAddress: string;
  /** The cells that have sent it on, and this one. */
  readonly cells: readonly string[];
}

/**
 * The headers that a request is sent on with. Of the addresses that it names only the client's goes on: the others are of
 * proxies that the next cell need not know, or made up.
 */
export function headersToSend({ rawHeaders, connection, clientAddress, cells }: ForwardedRequest): string[] {
  const dropped = namedIn(connection);
  const sent: string[] = [];
  for (let place = 0; place + 1 < rawHeaders.length; place += 2) {
    const [name = '', value = ''] = rawHeaders.slice(place, place + 2);
    const lowerCase = name.toLowerCase();
    if (!isOwn(lowerCase) && !dropped.has(lowerCase)) sent.push(name, value);
  }
  return [...sent, 'x-forwarded-for', clientAddress, forwardedByHeader, cells.join(', ')];
}

/** The headers of an answer that are passed on. */
export function headersToAnswer(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  const dropped = namedIn(headers.connection);
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || dropped.has(name)) continue;
    if (name === 'content-length' || !isOwn(name)) passed[name] = value;
  }
  return passed;
}

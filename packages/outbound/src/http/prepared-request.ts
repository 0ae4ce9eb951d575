import { BookingSystemUnavailable } from '@waiver-service/core';

/** Whether a text has only RFC 3986's unreserved characters, which neither JSON nor a URL escapes. */
export const isUnreserved = (text: string): boolean => /^[\w.~-]*$/.test(text);

/**
 * Percent-encodes everything except RFC 3986's unreserved characters, so that any text is one path segment or one query
 * value. A lone surrogate, which UTF-8 cannot represent, becomes U+FFFD: an id with one is then unknown, instead of an
 * error of ours.
 */
export function percentEncode(text: string): string {
  // Nearly every id; the test takes a quarter of the time of encoding.
  if (isUnreserved(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Query parameters; those that are `undefined` are omitted. */
type QueryParameters = Readonly<Record<string, unknown>>;

function queryOf(parameters: QueryParameters): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(String(value))}`)
    .join('&');
}

function withQuery(address: string, parameters: QueryParameters): string {
  const query = queryOf(parameters);
  return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

// A plugin may begin a path with `../`, for another version of the vendor's API.
const leadingSegments = /^\/*(?:\.\.\/+)*/;
const mayHaveDotSegment = /\.|%2e/i;
const dotSegment = /^(?:\.|%2e){1,2}$/i;

/** URL parsers remove `.` and `..` even percent-encoded: with one as an id, a call would reach another resource. */
function refuseDotSegments(path: string): void {
  if (!mayHaveDotSegment.test(path)) return;
  const [address = ''] = path.replace(leadingSegments, '').split(/[?#]/);
  if (!address.split('/').some((segment) => dotSegment.test(segment))) return;
  throw new BookingSystemUnavailable(
    'an address of the booking system was not called: an id in it is "." or "..", which no URL can carry',
  );
}

/**
 * Joins a path to a base address, which may have a path, with or without a trailing slash. The result is always at the
 * base's origin, even if the path looks like an absolute URL: a plugin cannot send the account's key to another host.
 *
 * @throws BookingSystemUnavailable for a path with `.` or `..` after another segment
 */
export function requestUrl(baseUrl: string, path: string, parameters: QueryParameters = {}): string {
  refuseDotSegments(path);
  const base = baseUrl.replace(/\/+$/, '');
  const under = path === '' ? base : `${base}/${path.replace(/^\/+/, '')}`;
  return withQuery(under, parameters);
}

const isAbsolute = /^[a-z][a-z0-9+.-]*:/i;

/**
 * As {@link requestUrl}, but the path may also be an absolute URL at the base address's origin or at one of `origins`.
 * @throws BookingSystemUnavailable for one at another origin
 */
export function tokenRequestUrl(
  baseUrl: string,
  path: string,
  parameters: QueryParameters = {},
  origins: readonly string[],
): string {
  if (!isAbsolute.test(path)) return requestUrl(baseUrl, path, parameters);
  const origin = URL.parse(path)?.origin ?? path;
  if (origin === URL.parse(baseUrl)?.origin || origins.includes(origin)) return withQuery(path, parameters);
  throw new BookingSystemUnavailable(
    `${origin} was not called: no token may be requested there, because it is neither the base address's own origin nor one of the session's allowedOrigins`,
  );
}

type Headers = Readonly<Record<string, string>>;

/** Merged and checked headers, for any number of calls. */
export interface PreparedHeaders {
  /** Name, value, name, value. */
  readonly wire: string[];
  /** The name of the first header whose value cannot be sent, which prevents the call. */
  readonly unsendable: string | undefined;
}

// No compression, so that the size limit counts what is read and a small response cannot expand to a huge one.
const defaultHeaders = { 'accept-encoding': 'identity', 'user-agent': 'waiver-service' };

/**
 * Merges headers into undici's form: name, value, name, value. Of names that differ at most in case, the last one wins,
 * in its own spelling.
 */
function wireHeaders(sources: readonly Headers[]): string[] {
  const wire: string[] = [];
  const places = new Map<string, number>();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      const key = name.toLowerCase();
      const place = places.get(key) ?? wire.length;
      places.set(key, place);
      wire[place] = name;
      wire[place + 1] = value;
    }
  }
  return wire;
}

// Other characters could start a second header, or be read differently by the two ends.
const sendable = /^[\t\x20-\x7e]*$/;

/** Finds the first header whose value contains a line break, another control character or a non-ASCII character. */
function findUnsendableHeader(wire: readonly string[]): string | undefined {
  const value = wire.findIndex((text, place) => place % 2 === 1 && !sendable.test(text));
  return wire[value - 1];
}

/** Prepares headers. Later sources replace headers of the same name. */
export function prepareHeaders(...sources: readonly Headers[]): PreparedHeaders {
  const wire = wireHeaders([defaultHeaders, ...sources]);
  return { wire, unsendable: findUnsendableHeader(wire) };
}

const namesAndValues = ({ wire }: PreparedHeaders) =>
  wire.flatMap((name, place) => (place % 2 === 0 ? [[name, wire[place + 1] ?? ''] as const] : []));

/** Adds headers, replacing those of the same name. */
export const extendHeaders = (prepared: PreparedHeaders, more: Headers): PreparedHeaders =>
  prepareHeaders(Object.fromEntries(namesAndValues(prepared)), more);

/** The values by lower-case name. */
export const headersByName = (prepared: PreparedHeaders): Record<string, string> =>
  Object.fromEntries(namesAndValues(prepared).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * Prepares the headers that all requests to one target share. The result adds those of one request, which replace
 * defaults and `common`, and are replaced by `standing`. Their names differ in more than case.
 */
export function prepareCommonHeaders(common: Headers, standing: Headers): (own: Headers) => PreparedHeaders {
  const shared = prepareHeaders(common, standing);
  const names = new Set(Object.keys(headersByName(shared)));
  return (own) => {
    const added: string[] = [];
    for (const [name, value] of Object.entries(own)) {
      if (names.has(name.toLowerCase())) return prepareHeaders(common, own, standing);
      added.push(name, value);
    }
    return {
      wire: [...shared.wire, ...added],
      unsendable: shared.unsendable ?? findUnsendableHeader(added),
    };
  };
}

import { percentEncode } from '../percent-encode.ts';

/** Query parameters; those that are `undefined` are omitted. */
export type QueryParameters = Readonly<Record<string, unknown>>;

function queryOf(parameters: QueryParameters): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(String(value))}`)
    .join('&');
}

/**
 * Joins a path to a base address, which may have a path of its own, with or without a trailing slash. The result is
 * always below the base, even for a path that looks like an absolute URL: a plugin cannot send the account's key to
 * another host.
 */
export function requestUrl(baseUrl: string, path: string, parameters: QueryParameters = {}): string {
  const base = baseUrl.replace(/\/+$/, '');
  const under = path === '' ? base : `${base}/${path.replace(/^\/+/, '')}`;
  const query = queryOf(parameters);
  if (query === '') return under;
  return `${under}${under.includes('?') ? '&' : '?'}${query}`;
}

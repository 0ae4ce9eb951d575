import { percentEncode } from '../percent-encode.ts';

/** Query parameters; what is `undefined` is left out. */
export type QueryParameters = Readonly<Record<string, unknown>>;

function queryOf(parameters: QueryParameters): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(String(value))}`)
    .join('&');
}

/**
 * A path under a base address. The base may have a path of its own, with or without a slash at its end. The path
 * always goes under the base, even one that looks like an absolute URL: a plugin cannot send the account's key
 * to another host.
 */
export function requestUrl(baseUrl: string, path: string, parameters: QueryParameters = {}): string {
  const base = baseUrl.replace(/\/+$/, '');
  const under = path === '' ? base : `${base}/${path.replace(/^\/+/, '')}`;
  const query = queryOf(parameters);
  if (query === '') return under;
  return `${under}${under.includes('?') ? '&' : '?'}${query}`;
}

import { expect } from 'vitest';
import type { PartnerRequest } from '../kit/partner.ts';

// What may stand raw in a segment or a query value and is read alike everywhere.
const encoded = /^(?:[A-Za-z0-9\-._~!$'()*,;:@]|%[0-9A-Fa-f]{2})*$/;

/** Expects a raw path segment or query value to be a text, percent-encoded. */
export function expectEncoded(raw: string | undefined, text: string, where: string): void {
  expect(raw, `${where} is there`).toBeDefined();
  expect(raw, `${where} is percent-encoded`).toMatch(encoded);
  expect(decodeURIComponent(raw ?? ''), `${where} reads as the id that was given`).toBe(text);
}

/** The raw values of a name in a request's query. */
export function rawQueryValues({ query }: PartnerRequest, name: string): string[] {
  return query
    .split('&')
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** Expects a name to stand exactly once in a request's query, with a percent-encoded text. */
export function expectQueryValue(request: PartnerRequest, name: string, text: string): void {
  const values = rawQueryValues(request, name);
  expect(values, `${name} stands once in the query ${request.query}`).toHaveLength(1);
  // A plus sign in a query is read as a space, and is the same to every reader.
  expectEncoded(values[0]?.replaceAll('+', '%20'), text, `${name} in the query`);
}

/** The one request that was made. Throws where there were none or more. */
export function onlyRequest(requests: readonly PartnerRequest[]): PartnerRequest {
  const [request, ...others] = requests;
  if (!request || others.length > 0)
    throw new Error(`one request was expected, ${requests.length} were made`);
  return request;
}

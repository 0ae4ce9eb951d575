import { expect } from 'vitest';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerRequest } from '../kit/partner.ts';

// Characters that every server interprets alike, unencoded, in a path segment or a query value.
const encoded = /^(?:[A-Za-z0-9\-._~!$'()*,;:@]|%[0-9A-Fa-f]{2})*$/;

/** Expects a raw path segment or query value to be the percent-encoded text. */
export function expectEncoded(raw: string | undefined, text: string, where: string): void {
  expect(raw, `${where} exists`).toBeDefined();
  expect(raw, `${where} is percent-encoded`).toMatch(encoded);
  expect(decodeURIComponent(raw ?? ''), `${where} reads as the id that was given`).toBe(text);
}

/** The raw values of a parameter in a request's query. */
export function rawQueryValues({ query }: PartnerRequest, name: string): string[] {
  return query
    .split('&')
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

/** Expects a request's query to have a parameter exactly once, as the percent-encoded text. */
export function expectQueryValue(request: PartnerRequest, name: string, text: string): void {
  const values = rawQueryValues(request, name);
  expect(values, `${name} occurs once in the query ${request.query}`).toHaveLength(1);
  // Every server reads a plus sign in a query as a space.
  expectEncoded(values[0]?.replaceAll('+', '%20'), text, `${name} in the query`);
}

/** Returns the only request; throws if there is none, or more than one. */
export function onlyRequest(requests: readonly PartnerRequest[]): PartnerRequest {
  const [request, ...others] = requests;
  if (!request || others.length > 0)
    throw new Error(`one request was expected, ${requests.length} were made`);
  return request;
}

/** Expects a request's URL to contain no secret, except in the parameters that authenticate it. */
export function expectNoSecretInUrl(kit: ClauseKit, request: PartnerRequest): void {
  const shown = [decodeURIComponent(request.path), ...kit.queryOf(request).flat()].join(' ');
  // Compared as a boolean: a failure must not print the secret.
  for (const secret of kit.secrets) expect(shown.includes(secret), 'the URL has a secret').toBe(false);
}

import { expect } from 'vitest';
import { expectEncoded } from '../expectations/address.ts';
import type { PartnerRequest } from '../kit/partner.ts';
import type { NativeRequest } from './native-scenarios.ts';

// A replacer function, since an id may contain a special replacement pattern such as `$'`.
const fillTemplate = (template: string, bookingId: string) =>
  template.replaceAll('{bookingId}', () => bookingId);

function expectPath(actual: string, template: string, bookingId: string): void {
  const segments = actual.split('/');
  const expected = template.split('/');
  expect(segments.length, `${actual} has the segments of ${template}`).toBe(expected.length);
  for (const [index, segment] of expected.entries()) {
    expectEncoded(segments[index], fillTemplate(segment, bookingId), `segment ${segment} of the path`);
  }
}

/** Expects a request to match a scenario's, for a booking id. */
export function expectNativeRequest(
  actual: PartnerRequest | undefined,
  expected: NativeRequest,
  bookingId: string,
  authHeaders: Readonly<Record<string, string>>,
): void {
  if (!actual) throw new Error(`${expected.method} ${expected.path} was expected and never made`);
  expect(actual.method).toBe(expected.method);
  expectPath(actual.path, expected.path, bookingId);
  const query = Object.entries(expected.query ?? {}).map(([name, value]) => [
    name,
    fillTemplate(value, bookingId),
  ]);
  expect([...new URLSearchParams(actual.query)].sort(), 'the query').toEqual(query.sort());
  for (const [name, value] of Object.entries({ ...authHeaders, ...expected.headers })) {
    // Compared as a boolean: a failure must not print credentials.
    expect(actual.headers.get(name) === value, `the header ${name} has the expected value`).toBe(true);
  }
  if (expected.body !== undefined) expect(JSON.parse(actual.body)).toEqual(expected.body);
}

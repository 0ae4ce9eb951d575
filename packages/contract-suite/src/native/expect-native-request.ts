import { expect } from 'vitest';
import { expectEncoded } from '../expectations/address.ts';
import type { PartnerRequest } from '../kit/partner.ts';
import type { NativeRequest } from './native-scenarios.ts';

// By a function, since an id may hold what `replaceAll` takes for a pattern, such as `$'`.
const filled = (template: string, bookingId: string) => template.replaceAll('{bookingId}', () => bookingId);

function expectPath(actual: string, template: string, bookingId: string): void {
  const segments = actual.split('/');
  const expected = template.split('/');
  expect(segments.length, `${actual} has the segments of ${template}`).toBe(expected.length);
  for (const [index, segment] of expected.entries()) {
    expectEncoded(segments[index], filled(segment, bookingId), `segment ${segment} of the path`);
  }
}

/** Expects a request to be the one that a scenario names, for a booking id. */
export function expectNativeRequest(
  actual: PartnerRequest | undefined,
  expected: NativeRequest,
  bookingId: string,
  authHeaders: Readonly<Record<string, string>>,
): void {
  if (!actual) throw new Error(`${expected.method} ${expected.path} was expected and never asked for`);
  expect(actual.method).toBe(expected.method);
  expectPath(actual.path, expected.path, bookingId);
  const query = Object.entries(expected.query ?? {}).map(([name, value]) => [name, filled(value, bookingId)]);
  expect([...new URLSearchParams(actual.query)].sort(), 'the query').toEqual(query.sort());
  for (const [name, value] of Object.entries({ ...authHeaders, ...expected.headers })) {
    // Compared as a yes or no: the report must not show a header that authenticates.
    expect(actual.headers.get(name) === value, `the header ${name} has the value expected`).toBe(true);
  }
  if (expected.body !== undefined) expect(JSON.parse(actual.body)).toEqual(expected.body);
}

import { expect } from 'vitest';
import { expectEncoded } from '../expectations.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerRequest } from '../kit/partner.ts';
import type { NativeExchange, NativeRequest } from './native-scenarios.ts';

// A replacer function, because an id may contain a replacement pattern such as `$'`.
export const fillTemplate = (template: string, bookingId: string) =>
  template.replaceAll('{bookingId}', () => bookingId);

function expectPath(actual: string, template: string, bookingId: string): void {
  const segments = actual.split('/');
  const expected = template.split('/');
  expect(segments.length, `${actual} has the segments of ${template}`).toBe(expected.length);
  for (const [index, segment] of expected.entries()) {
    expectEncoded(segments[index], fillTemplate(segment, bookingId), `segment ${segment} of the path`);
  }
}

/** Expects a request to match the scenario's for a booking id, and to be authentic. */
export function expectNativeRequest(
  kit: ClauseKit,
  actual: PartnerRequest | undefined,
  expected: NativeRequest,
  bookingId: string,
): void {
  if (!actual) throw new Error(`${expected.method} ${expected.path} was expected and never made`);
  expect(actual.method).toBe(expected.method);
  expectPath(actual.path, expected.path, bookingId);
  const query = Object.entries(expected.query ?? {}).map(([name, value]) => [
    name,
    fillTemplate(value, bookingId),
  ]);
  expect(kit.queryOf(actual).sort(), 'the query').toEqual(query.sort());
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    expect(actual.headers.get(name), `the header ${name}`).toBe(value);
  }
  expect(kit.isAuthentic(actual), `${actual.method} ${actual.path} is authentic`).toBe(true);
  if (expected.body !== undefined) expect(JSON.parse(actual.body)).toEqual(expected.body);
}

/** Responds to a call's requests, and expects exactly those of the exchanges. */
export async function exchanging<T>(
  kit: ClauseKit,
  exchanges: readonly NativeExchange[],
  call: () => Promise<T>,
  bookingId: string = kit.bookingId,
): Promise<T> {
  const before = kit.partner.requests.length;
  for (const { request, answer } of exchanges) kit.partner.willAnswer(request.method, answer);
  const result = await call();
  const made = kit.partner.requests.slice(before);
  expect(made.length, 'the number of requests').toBe(exchanges.length);
  for (const [index, { request }] of exchanges.entries()) {
    expectNativeRequest(kit, made[index], request, bookingId);
  }
  return result;
}

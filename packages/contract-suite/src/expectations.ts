import { inspect } from 'node:util';
import {
  type BookingSystemError,
  type BookingSystemErrorCode,
  bookingSchema,
  type FetchedBooking,
  isBookingSystemError,
  type Warning,
  type WarningCode,
} from '@waiver-service/core';
import { expect } from 'vitest';
import type { ClauseKit } from './kit/clause-kit.ts';
import type { PartnerRequest } from './kit/partner.ts';

// Characters that every server interprets alike, unencoded, in a path segment or a query value.
const encoded = /^(?:[A-Za-z0-9\-._~!$'()*,;:@]|%[0-9A-Fa-f]{2})*$/;

/** Whether a raw path segment is the percent-encoded text. */
export const isEncoded = (raw: string, text: string): boolean =>
  encoded.test(raw) && decodeURIComponent(raw) === text;

/** Expects a raw path segment or query value to be the percent-encoded text. */
export function expectEncoded(raw: string | undefined, text: string, where: string): void {
  expect(raw, `${where} exists`).toBeDefined();
  expect(raw, `${where} is percent-encoded`).toMatch(encoded);
  expect(decodeURIComponent(raw ?? ''), `${where} reads as the id that was given`).toBe(text);
}

/** Expects the `isAuthentic` of the plugin's test to accept a request, or to refuse it. */
export function expectAuthentic(kit: ClauseKit, request: PartnerRequest, isExpected = true): void {
  const made = `${request.method} ${request.path}`;
  const names = [...request.headers].map(([name]) => name).join(', ');
  const message = isExpected
    ? `the isAuthentic of the plugin’s test accepts ${made}. If not, it or the plugin is wrong: the request has the headers ${names}, by lower-case name`
    : `the isAuthentic of the plugin’s test refuses ${made}, which has other secrets than the account: it must compare each`;
  expect(kit.isAuthentic(request), message).toBe(isExpected);
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

const describeWarning = ({ code, path }: Pick<Warning, 'code' | 'path'>) =>
  path === undefined ? code : `${code} ${path}`;

/**
 * Expects a booking and exactly these warnings, written as `code path`, in any order. The status group and a status that
 * the plugin's map lacks have clauses of their own.
 */
export function expectFetched(
  fetched: FetchedBooking,
  booking: unknown,
  warnings: readonly string[] = [],
): void {
  const { statusGroup: _statusGroup, ...read } = fetched.booking;
  expect(read).toEqual(booking);
  const others = fetched.warnings.filter(({ code }) => code !== 'unknown_status');
  expect(others.map(describeWarning).sort()).toEqual([...warnings].sort());
  for (const { message } of fetched.warnings)
    expect(message.trim(), 'a warning says what was done').not.toBe('');
  bookingSchema.parse(fetched.booking);
}

/** Expects warnings with exactly these codes, in any order. */
export function expectWarningCodes(warnings: readonly Warning[], codes: readonly WarningCode[] = []): void {
  expect(warnings.map(({ code }) => code).sort()).toEqual([...codes].sort());
}

function jsonOf(value: unknown): string {
  const seen = new Set<unknown>();
  const withoutCycles = (_name: string, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null) return typeof inner === 'bigint' ? String(inner) : inner;
    if (seen.has(inner)) return undefined;
    seen.add(inner);
    return inner;
  };
  return JSON.stringify(value, withoutCycles) ?? '';
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link instanceof Error && !chain.includes(link); link = link.cause) chain.push(link);
  return chain;
}

/** Every text that a log, a response or a debugger could derive from an error or from warnings. */
function textsOf(error: unknown): string[] {
  const deep = inspect(error, { depth: 30, showHidden: true, getters: true, maxStringLength: null });
  const own = chainOf(error).flatMap((link) =>
    link instanceof Error ? [link.message, link.stack ?? '', String(link), jsonOf(link)] : [],
  );
  return [deep, jsonOf(error), ...own];
}

// This much of a longer secret, such as a token, counts as shown, since a truncated text may cut it.
const shownLength = 24;

/** Expects an error or warnings to show no secret in messages, stacks, causes, JSON or a deep inspection. */
export function expectNoLeak(error: unknown, secrets: readonly string[], origin: string): void {
  const shown = textsOf(error).join('\n');
  for (const whole of secrets) {
    const secret = whole.slice(0, shownLength);
    for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      // Compared as a boolean: a failure must not print the secret.
      expect(shown.includes(spelling), `the result of ${origin} shows a secret`).toBe(false);
    }
  }
}

/** The error with which a call rejects; throws if it resolves. */
export async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error(`the call should have been rejected, but it resolved to ${JSON.stringify(outcome.value)}`);
}

/** Expects a call to reject with a BookingSystemError that has the code and the fields. */
export async function expectRejection(
  call: Promise<unknown>,
  code: BookingSystemErrorCode,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<BookingSystemError> {
  const error = await rejectionOf(call);
  if (!isBookingSystemError(error)) {
    throw new Error(`the call should have been rejected with ${code}, one of core's errors`, {
      cause: error,
    });
  }
  const found = Object.fromEntries(Object.keys(fields).map((name) => [name, Reflect.get(error, name)]));
  expect({ code: error.code, ...found }, error.message).toEqual({ code, ...fields });
  expect(error.message.trim(), 'an error says what to do').not.toBe('');
  return error;
}

/** Expects a number between two bounds, inclusive. */
export function expectBetween(value: unknown, min: number, max: number): void {
  expect(value).toBeTypeOf('number');
  expect(Number(value)).toBeGreaterThanOrEqual(min);
  expect(Number(value)).toBeLessThanOrEqual(max);
}

import {
  type BookingSystemError,
  type BookingSystemErrorCode,
  isBookingSystemError,
} from '@waiver-service/core';
import { expect } from 'vitest';

/** What a call was rejected with. Throws where it was not rejected. */
export async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error(`the call should have been rejected, but it brought ${JSON.stringify(outcome.value)}`);
}

/** Expects a call to be rejected with one of core's errors, of a code and with some of its fields. */
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

/** Expects a field of an error to lie between two numbers. */
export function expectBetween(value: unknown, least: number, most: number): void {
  expect(value).toBeTypeOf('number');
  expect(Number(value)).toBeGreaterThanOrEqual(least);
  expect(Number(value)).toBeLessThanOrEqual(most);
}

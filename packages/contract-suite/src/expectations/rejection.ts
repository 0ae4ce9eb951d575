import {
  type BookingSystemError,
  type BookingSystemErrorCode,
  isBookingSystemError,
} from '@waiver-service/core';
import { expect } from 'vitest';

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

import { bookingSchema, type FetchedBooking, type Warning, type WarningCode } from '@waiver-service/core';
import { expect } from 'vitest';

const describeWarning = ({ code, path }: Pick<Warning, 'code' | 'path'>) =>
  path === undefined ? code : `${code} ${path}`;

/** Expects a booking and exactly these warnings, written as `code path`, in any order. */
export function expectFetched(
  fetched: FetchedBooking,
  booking: unknown,
  warnings: readonly string[] = [],
): void {
  // The status group has its own clause.
  const { statusGroup: _statusGroup, ...read } = fetched.booking;
  expect(read).toEqual(booking);
  expect(fetched.warnings.map(describeWarning).sort()).toEqual([...warnings].sort());
  for (const { message } of fetched.warnings)
    expect(message.trim(), 'a warning says what was done').not.toBe('');
  bookingSchema.parse(fetched.booking);
}

/** Expects warnings with exactly these codes, in any order. */
export function expectWarningCodes(warnings: readonly Warning[], codes: readonly WarningCode[] = []): void {
  expect(warnings.map(({ code }) => code).sort()).toEqual([...codes].sort());
}

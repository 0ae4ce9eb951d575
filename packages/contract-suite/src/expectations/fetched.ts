import { bookingSchema, type FetchedBooking, type Warning, type WarningCode } from '@waiver-service/core';
import { expect } from 'vitest';

const place = ({ code, path }: Pick<Warning, 'code' | 'path'>) =>
  path === undefined ? code : `${code} ${path}`;

/** Expects a booking and exactly the warnings given, in any order: `code path`. */
export function expectFetched(
  fetched: FetchedBooking,
  booking: unknown,
  warnings: readonly string[] = [],
): void {
  // The group of a status has a clause of its own.
  const { statusGroup: _statusGroup, ...read } = fetched.booking;
  expect(read).toEqual(booking);
  expect(fetched.warnings.map(place).sort()).toEqual([...warnings].sort());
  for (const { message } of fetched.warnings)
    expect(message.trim(), 'a warning says what was done').not.toBe('');
  bookingSchema.parse(fetched.booking);
}

/** Expects the codes of some warnings, in any order. */
export function expectWarningCodes(warnings: readonly Warning[], codes: readonly WarningCode[] = []): void {
  expect(warnings.map(({ code }) => code).sort()).toEqual([...codes].sort());
}

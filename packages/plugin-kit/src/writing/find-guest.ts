import type { Waiver } from '@waiver-service/core';
import { quoted } from '../reading/json.ts';
import type { Reading } from '../reading/reading.ts';

/**
 * Finds the booking's guest whom a waiver names. If the booking no longer has that guest, adds a warning: the waiver is
 * then written only to the booking's note.
 */
export function findGuest<T extends { readonly id: string | undefined }>(
  reading: Reading,
  guests: readonly T[],
  { bookingGuestId }: Waiver,
): T | undefined {
  if (bookingGuestId === undefined) return undefined;
  const guest = guests.find(({ id }) => id === bookingGuestId);
  if (guest !== undefined) return guest;
  const message = `the booking has no guest ${quoted(bookingGuestId)} any more: only its note mentions the waiver`;
  reading.warn('waiver_partly_written', 'bookingGuestId', message);
  return undefined;
}

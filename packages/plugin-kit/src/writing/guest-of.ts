import type { Waiver } from '@waiver-service/core';
import { quoted } from '../reading/json.ts';
import type { Reading } from '../reading/reading.ts';

/**
 * The one of a booking's guests that a waiver is about; `undefined` where it names none. One that the booking does not
 * have is noted as a warning, since the waiver is then written for the booking alone.
 */
export function guestOf<T extends { readonly id: string | undefined }>(
  reading: Reading,
  guests: readonly T[],
  { bookingGuestId }: Waiver,
): T | undefined {
  if (bookingGuestId === undefined) return undefined;
  const guest = guests.find(({ id }) => id === bookingGuestId);
  if (guest !== undefined) return guest;
  const message = `the booking has no guest ${quoted(bookingGuestId)} any more: only its note tells of the waiver`;
  reading.warn('waiver_partly_written', 'bookingGuestId', message);
  return undefined;
}

import { BookingHasOtherId } from '@waiver-service/core';
import { quoted } from '../reading/json.ts';

/**
 * For `pushWaiver` of a plugin with `capabilities.aliases` that reads a booking before it writes to it: the waiver must
 * name the booking's own id, or two waivers of one booking could be written at once.
 *
 * @throws BookingHasOtherId
 */
export function requireOwnId(waiver: { readonly bookingId: string }, ownId: string): void {
  if (waiver.bookingId === ownId) return;
  const message = `booking ${quoted(waiver.bookingId)} is ${quoted(ownId)}: the waiver is written when no other one of that booking is`;
  throw new BookingHasOtherId(message, { bookingId: ownId });
}

import { type BookingSystemManifest, type Waiver, WaiverRejected } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';
import { quoted } from '../reading/json.ts';
import { refusalOfId } from '../sendable-id.ts';

function idInPath(guestId: BookingSystemManifest['guestId'], waiver: Waiver): string | undefined {
  if (guestId === 'none') return undefined;
  return guestId === 'waiver-id' ? waiver.id : waiver.bookingGuestId || waiver.id;
}

function segment(id: string, what: string): string {
  const refusal = refusalOfId(id);
  if (refusal === undefined) return percentEncode(id);
  throw new WaiverRejected(`the ${what} ${quoted(id)} cannot be sent: ${refusal}`, { retry: 'never' });
}

/**
 * The path of Guest Update (contract 4.2): the guest id where known, else the waiver id; always the waiver id; or nothing
 * after the last slash. Throws WaiverRejected for an id that a URL cannot carry.
 */
export function guestUpdatePath(plugin: Pick<BookingSystemManifest, 'guestId'>, waiver: Waiver): string {
  const id = idInPath(plugin.guestId, waiver);
  const last = id === undefined ? '' : segment(id, 'guest id');
  return `bookings/${segment(waiver.bookingId, 'booking id')}/guests/${last}`;
}

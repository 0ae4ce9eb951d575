import { type ContractChoices, type Waiver, WaiverRejected } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';
import { quoted } from '../reading/json.ts';
import { invalidIdReason } from '../url-ids.ts';

function idInPath(guestId: ContractChoices['guestId'], waiver: Waiver): string | undefined {
  if (guestId === 'none') return undefined;
  return guestId === 'waiver-id' ? waiver.id : waiver.bookingGuestId || waiver.id;
}

function segment(id: string, name: string): string {
  const reason = invalidIdReason(id);
  if (reason === undefined) return percentEncode(id);
  throw new WaiverRejected(`the ${name} ${quoted(id)} cannot be sent: ${reason}`, { retry: 'never' });
}

/**
 * The path of Guest Update (contract 4.2). Its last segment depends on the manifest's `guestId`. Throws WaiverRejected for
 * an id that cannot be part of a URL.
 */
export function guestUpdatePath(plugin: Pick<ContractChoices, 'guestId'>, waiver: Waiver): string {
  const id = idInPath(plugin.guestId, waiver);
  const last = id === undefined ? '' : segment(id, 'guest id');
  return `bookings/${segment(waiver.bookingId, 'booking id')}/guests/${last}`;
}

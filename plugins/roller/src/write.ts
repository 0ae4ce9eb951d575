import {
  type BookingSystemResponse,
  type PushedWaiver,
  type Waiver,
  WaiverRejected,
} from '@waiver-service/core';
import {
  bookingSegment,
  quoted,
  Reading,
  raiseForRefusedWaiver,
  rejectNotFound,
  requireOwnId,
} from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { displayName, vendorMessageOf } from './answers.ts';
import { readHead } from './read.ts';
import { putBooking, requestBooking } from './requests.ts';
import { planUpdate } from './write/booking-update.ts';
import { verifyUpdate } from './write/verify-update.ts';

/** Throws the error for the response to a change; a 2xx passes. A 409 names the refused part. */
function raiseForUpdate(response: BookingSystemResponse): void {
  const vendorMessage = vendorMessageOf(response);
  const { status } = response;
  if (status === 409) {
    throw new WaiverRejected(
      `${displayName} did not take the waiver (status 409), saying ${quoted(vendorMessage)}`,
      { retry: 'three-attempts', upstreamStatus: status, outboundErrorCode: 'http_status' },
    );
  }
  raiseForRefusedWaiver(response, displayName, vendorMessage);
}

/** A booking to write to, or to verify: without its head, an answer is not a booking, and shows nothing about one. */
async function requestOwnBooking(context: Context, bookingId: string) {
  const booking = await requestBooking(context, bookingId).catch(rejectNotFound);
  return { booking, id: readHead(booking).id };
}

/**
 * Writes one waiver by a GET and a PUT: an entry in the booking's metadata, and the holder's name on a ticket that has none.
 * Then reads the booking again, because ROLLER answers without a body.
 */
export async function pushWaiver(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  // Rejects an invalid id without retry; an id that ROLLER does not know is retried.
  bookingSegment(waiver.bookingId, 'guest-update');
  const { booking: before, id } = await requestOwnBooking(context, waiver.bookingId);
  // Only a read accepts a booking's reference in place of its unique id.
  requireOwnId(waiver, id);
  const reading = new Reading();
  const notWritten = (reason: string): PushedWaiver => ({
    accepted: false,
    reason,
    warnings: reading.warnings,
  });
  const update = planUpdate(reading, before, waiver);
  if (update.obstacle !== undefined) {
    return notWritten(`${update.obstacle}: note the waiver in the booking by hand`);
  }
  if (update.body === undefined) return { accepted: true, warnings: reading.warnings };
  const response = await putBooking(context, waiver.bookingId, update.body);
  // The read before shows that the key is valid: this booking is not ours to change.
  if (response.status === 403) {
    const reply = vendorMessageOf(response);
    return notWritten(
      `${displayName} does not let this booking be changed${reply === '' ? '' : `, saying ${quoted(reply)}`}: note the waiver in it by hand`,
    );
  }
  raiseForUpdate(response);
  const { booking: after } = await requestOwnBooking(context, waiver.bookingId);
  const reason = verifyUpdate(reading, update, before, after);
  return reason === undefined ? { accepted: true, warnings: reading.warnings } : notWritten(reason);
}

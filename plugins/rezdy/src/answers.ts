import type { BookingSystemResponse } from '@waiver-service/core';
import {
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  WaiverRejected,
} from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';

/** What operators read. */
export const displayName = 'Rezdy';

/** What is asked of Rezdy: a booking for its own sake, a booking that is about to be changed, or the change. */
export type RezdyCall =
  | { readonly kind: 'read'; readonly bookingId: string }
  | { readonly kind: 'read-before-write' }
  | { readonly kind: 'write' };

const timedOut = '5';

/** The HTTP status that says what one of Rezdy's own error codes means. */
const statusOfCode = new Map<string | undefined, number>([
  ['4', 401],
  ['6', 403],
  ['24', 404],
]);

/** Rezdy says 406 where others say 429. */
const statusOf = (status: number) => (status === 406 ? 429 : status);

/**
 * Throws what an answer means that is not a success. Rezdy's `requestStatus` says whether it is one, whatever the HTTP
 * status: a refusal comes with 200 too.
 */
export function raiseForRezdy(response: BookingSystemResponse, call: RezdyCall): void {
  const { success, error } = kit.objectOf(kit.objectOf(response.data).requestStatus);
  const isRefusal = success === false;
  const { errorCode, errorMessage } = kit.objectOf(isRefusal ? error : undefined);
  const [code, vendorMessage] = [kit.textOf(errorCode), kit.textOf(errorMessage) ?? ''];
  const details = { upstreamStatus: response.status, outboundErrorCode: 'not_accepted' as const };
  if (code === timedOut) {
    // Only of a change it is not known whether it was made.
    const said = `${displayName} gave up the call after its own time limit: ${kit.quoted(vendorMessage)}`;
    throw new BookingSystemTimeout(said, { ...details, inDoubt: call.kind === 'write' });
  }
  const status = statusOfCode.get(code) ?? statusOf(response.status);
  // Said by Rezdy itself, a missing order is sure; a 404 of somebody else's may be a wrong address.
  const data = isRefusal ? { success, message: vendorMessage } : response.data;
  const meant = { ...response, status, data };
  if (call.kind === 'read') {
    kit.raiseForStatus(meant, { bookingSystem: displayName, bookingId: call.bookingId, vendorMessage });
  } else kit.raiseForRefusedWaiver(meant, displayName, vendorMessage);
  if (!isRefusal) return;
  const said = `${displayName} refused the call with error ${code ?? 'without a code'}: ${kit.quoted(vendorMessage)}`;
  if (call.kind === 'read') throw new BookingSystemUnavailable(said, details);
  throw new WaiverRejected(said, { ...details, retry: 'schedule' });
}

/** The booking in an answer's envelope; `undefined` where there is none. Throws core's errors for a refusal. */
export function bookingInside(response: BookingSystemResponse, call: RezdyCall): kit.JsonObject | undefined {
  raiseForRezdy(response, call);
  const { booking } = kit.objectOf(response.data);
  return kit.isJsonObject(booking) ? booking : undefined;
}

/** The same where there must be one. */
export function bookingIn(response: BookingSystemResponse, call: RezdyCall): kit.JsonObject {
  const booking = bookingInside(response, call);
  if (booking) return booking;
  throw new InvalidBookingResponse(
    'the answer is not Rezdy’s: there is no booking in it; check the base address',
  );
}

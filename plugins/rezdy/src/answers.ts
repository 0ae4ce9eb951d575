import type { BookingSystemResponse } from '@waiver-service/core';
import {
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  WaiverRejected,
} from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';

export const displayName = 'Rezdy';

/** The purpose of a request; it decides which error a failure becomes. */
export type RezdyCall =
  | { readonly kind: 'read'; readonly bookingId: string }
  | { readonly kind: 'read-before-write' }
  | { readonly kind: 'write' };

const timedOut = '5';

/** The HTTP status that corresponds to one of Rezdy's error codes. */
const statusOfCode = new Map<string | undefined, number>([
  ['4', 401],
  ['6', 403],
  ['24', 404],
]);

/** Rezdy uses 406 for its rate limit. */
const statusOf = (status: number) => (status === 406 ? 429 : status);

/**
 * Throws the error for a response; a success passes. `requestStatus` decides whether it is one, whatever the HTTP status:
 * errors, too, may have status 200.
 */
export function raiseForRezdy(response: BookingSystemResponse, call: RezdyCall): void {
  const { success, error } = kit.objectOf(kit.objectOf(response.data).requestStatus);
  const isError = success === false;
  const { errorCode, errorMessage } = kit.objectOf(isError ? error : undefined);
  const code = kit.textOf(errorCode);
  const vendorMessage = kit.textOf(errorMessage) ?? '';
  const details = { upstreamStatus: response.status, outboundErrorCode: 'not_accepted' as const };
  if (code === timedOut) {
    const message = `${displayName} gave up the call after its own time limit: ${kit.quoted(vendorMessage)}`;
    throw new BookingSystemTimeout(message, { ...details, inDoubt: call.kind === 'write' });
  }
  const status = statusOfCode.get(code) ?? statusOf(response.status);
  // Rezdy's own "not found" is reliable; any other 404 may be due to a wrong address, which the error then mentions.
  const data = isError ? { success, message: vendorMessage } : response.data;
  const meant = { ...response, status, data };
  if (call.kind === 'read') {
    kit.raiseForStatus(meant, { bookingSystem: displayName, bookingId: call.bookingId, vendorMessage });
  } else kit.raiseForRefusedWaiver(meant, displayName, vendorMessage);
  if (!isError) return;
  const message = `${displayName} refused the call with error ${code ?? 'without a code'}: ${kit.quoted(vendorMessage)}`;
  if (call.kind === 'read') throw new BookingSystemUnavailable(message, details);
  throw new WaiverRejected(message, { ...details, retry: 'schedule' });
}

/** The booking in a response's envelope, if it has one. Throws core's errors. */
export function bookingInside(response: BookingSystemResponse, call: RezdyCall): kit.JsonObject | undefined {
  raiseForRezdy(response, call);
  const { booking } = kit.objectOf(response.data);
  return kit.isJsonObject(booking) ? booking : undefined;
}

/** The booking in a response's envelope. Throws core's errors, also if there is none. */
export function bookingIn(response: BookingSystemResponse, call: RezdyCall): kit.JsonObject {
  const booking = bookingInside(response, call);
  if (booking) return booking;
  throw new InvalidBookingResponse(
    'the answer is not Rezdy’s: there is no booking in it; check the base address',
  );
}

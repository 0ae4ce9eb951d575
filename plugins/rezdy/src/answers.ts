import type { BookingSystemResponse } from '@waiver-service/core';
import { BookingSystemUnavailable, InvalidBookingResponse, WaiverRejected } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';

/** What operators read. */
export const displayName = 'Rezdy';

/** Rezdy's own code for an order that does not exist. */
const noSuchOrder = '24';
const isAboutTheKey = /\bapi ?key\b|\bunauthori[sz]ed\b|\bforbidden\b|\bnot authori[sz]ed\b/i;

/**
 * Throws what an answer means that is not a success. Rezdy's `requestStatus` says whether it is one, whatever the HTTP
 * status: a refusal comes with 200 too. `reading` is the order that is read, if one is.
 */
export function raiseForRezdy(response: BookingSystemResponse, reading?: string): void {
  const { success, error } = kit.objectOf(kit.objectOf(response.data).requestStatus);
  const { errorCode, errorMessage } = kit.objectOf(error);
  const message = kit.textOf(errorMessage) ?? '';
  const keyStatus = isAboutTheKey.test(message) ? 401 : response.status;
  const status =
    success !== false ? response.status : kit.textOf(errorCode) === noSuchOrder ? 404 : keyStatus;
  // Said by Rezdy itself, a missing order is sure; a 404 of somebody else's may be a wrong address.
  const meant = success === false ? { ...response, status, data: { success, message } } : response;
  if (reading === undefined) kit.raiseForRefusedWaiver(meant, displayName, message);
  else kit.raiseForStatus(meant, { bookingSystem: displayName, bookingId: reading });
  if (success !== false) return;
  const said = `${displayName} refused the call with error ${String(errorCode)}: ${kit.quoted(message)}`;
  const details = { upstreamStatus: response.status, outboundErrorCode: 'not_accepted' as const };
  if (reading === undefined) throw new WaiverRejected(said, { ...details, retry: 'schedule' });
  throw new BookingSystemUnavailable(said, details);
}

/** The booking in an answer's envelope. Throws core's errors. */
export function bookingIn(response: BookingSystemResponse, reading?: string): kit.JsonObject {
  raiseForRezdy(response, reading);
  const { booking } = kit.objectOf(response.data);
  if (kit.isJsonObject(booking)) return booking;
  throw new InvalidBookingResponse(
    'the answer is not Rezdy’s: there is no booking in it; check the base address',
  );
}

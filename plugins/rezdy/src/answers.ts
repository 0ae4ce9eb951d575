import {
  type AnswerMeaning,
  type BookingSystemResponse,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  type StatusGroup,
  WaiverRejected,
} from '@waiver-service/core';
import {
  isJsonObject,
  type JsonObject,
  objectOf,
  quoted,
  type RequestPurpose,
  raiseForStatus,
  textOf,
} from '@waiver-service/plugin-kit';

/** Rezdy's statuses of an order. */
export const statusMap: Record<string, StatusGroup> = {
  CONFIRMED: 'active',
  PROCESSING: 'other',
  NEW: 'other',
  ON_HOLD: 'other',
  PENDING_SUPPLIER: 'other',
  PENDING_CUSTOMER: 'other',
  CANCELLED: 'cancelled',
  ABANDONED_CART: 'cancelled',
};

export const isCancelled = (status: string): boolean => statusMap[status] === 'cancelled';

export const displayName = 'Rezdy';

/** The purpose of a request, which decides the error that a failure becomes, and whether it changes the order. */
export type RezdyCall = RequestPurpose & { readonly isChange?: boolean };

const timedOut = '5';

/** The error in `requestStatus`; without a code if there is none. */
function failureOf({ data }: BookingSystemResponse) {
  const { success, error } = objectOf(objectOf(data).requestStatus);
  const isError = success === false;
  const { errorCode, errorMessage } = objectOf(isError ? error : undefined);
  return { isError, code: textOf(errorCode), vendorMessage: textOf(errorMessage) ?? '' };
}

const meaningOfCode = new Map<string | undefined, AnswerMeaning['meaning']>([
  ['4', 'bad-key'],
  ['6', 'bad-key'],
  ['24', 'not-found'],
]);

/**
 * The meaning of Rezdy's answer: `requestStatus` decides, whatever the HTTP status, since even errors may have status
 * 200. Without such an error, 406 is the rate limit.
 */
export function judgeAnswer(answer: BookingSystemResponse): AnswerMeaning | undefined {
  const { code, vendorMessage } = failureOf(answer);
  if (code === timedOut) return undefined;
  const meaning = meaningOfCode.get(code) ?? (answer.status === 406 ? 'throttled' : undefined);
  return meaning && { meaning, vendorMessage };
}

/** Throws the error for a response; a success passes. `requestStatus` decides whether it is one. */
export function raiseForRezdy(response: BookingSystemResponse, call: RezdyCall): void {
  const { isError, code, vendorMessage } = failureOf(response);
  const details = { upstreamStatus: response.status, outboundErrorCode: 'not_accepted' as const };
  if (code === timedOut) {
    const message = `${displayName} gave up the call after its own time limit: ${quoted(vendorMessage)}`;
    throw new BookingSystemTimeout(message, { ...details, inDoubt: call.isChange === true });
  }
  raiseForStatus(response, { bookingSystem: displayName, vendorMessage, ...call });
  if (!isError) return;
  const message = `${displayName} refused the call with error ${code ?? 'without a code'}: ${quoted(vendorMessage)}`;
  if (call.purpose !== 'guest-update') throw new BookingSystemUnavailable(message, details);
  throw new WaiverRejected(message, { ...details, retry: 'schedule' });
}

/** The booking in a response's envelope. Throws core's errors, including for an envelope without one. */
export function bookingIn(response: BookingSystemResponse, call: RezdyCall): JsonObject {
  raiseForRezdy(response, call);
  const { booking } = objectOf(response.data);
  if (isJsonObject(booking)) return booking;
  throw new InvalidBookingResponse(
    'the answer is not Rezdy’s: there is no booking in it; check the base address',
  );
}

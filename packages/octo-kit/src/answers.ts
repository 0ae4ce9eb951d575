import type { AnswerMeaning, BookingSystemResponse, StatusGroup } from '@waiver-service/core';
import { objectOf, type RequestPurpose, raiseForStatus, vendorMessageIn } from '@waiver-service/plugin-kit';

/**
 * OCTO's statuses of bookings and unit items, and two of Ventrata's: `NOSHOW`, of people who did not come, and
 * `UPGRADED`, of what another booking or unit item has replaced.
 */
export const statusMap: Record<string, StatusGroup> = {
  CONFIRMED: 'active',
  REDEEMED: 'active',
  ON_HOLD: 'other',
  PENDING: 'other',
  NOSHOW: 'other',
  UPGRADED: 'other',
  CANCELLED: 'cancelled',
  EXPIRED: 'cancelled',
  REJECTED: 'cancelled',
};

export const isCancelled = (status: unknown): boolean =>
  typeof status === 'string' && statusMap[status] === 'cancelled';

// Messages are shown next to the plugin's own name.
export const bookingSystem = 'The booking system';

/** The code and text of an error response. */
const vendorMessageOf = ({ data }: BookingSystemResponse): string =>
  vendorMessageIn(data, 'error', 'errorMessage');

// OCTO reports every error by status 400 and a code in the body.
const codeOf = ({ status, data }: BookingSystemResponse): unknown =>
  status === 400 ? objectOf(data).error : undefined;

const meaningOfCode = new Map<unknown, AnswerMeaning['meaning']>([
  ['UNAUTHORIZED', 'bad-key'],
  ['FORBIDDEN', 'bad-key'],
  ['INVALID_BOOKING_UUID', 'not-found'],
]);

/** The meaning of OCTO's error codes about the account or the booking. */
export function judgeAnswer(answer: BookingSystemResponse): AnswerMeaning | undefined {
  const meaning = meaningOfCode.get(codeOf(answer));
  return meaning && { meaning, vendorMessage: vendorMessageOf(answer) };
}

const statusOfCode = new Map<unknown, number>([
  ['INVALID_PRODUCT_ID', 404],
  ['INTERNAL_SERVER_ERROR', 500],
]);

/** The HTTP status that corresponds to a response's error code. */
export const httpStatusOf = (answer: BookingSystemResponse): number =>
  statusOfCode.get(codeOf(answer)) ?? answer.status;

/** Throws the error for a response; a 2xx passes. */
export function raiseForOcto(answer: BookingSystemResponse, request: RequestPurpose): void {
  const response = { ...answer, status: httpStatusOf(answer) };
  raiseForStatus(response, { bookingSystem, vendorMessage: vendorMessageOf(answer), ...request });
}

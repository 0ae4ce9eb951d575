import type { AnswerMeaning, BookingSystemResponse, StatusGroup } from '@waiver-service/core';
import { type RequestPurpose, raiseForStatus, vendorMessageIn } from '@waiver-service/plugin-kit';

export const statusMap: Readonly<Record<string, StatusGroup>> = {
  CONFIRMED: 'active',
  ARRIVED: 'active',
  CART: 'other',
  REQUESTED: 'other',
  RESERVED: 'other',
  NO_SHOW: 'other',
  ERROR: 'other',
  CANCELLED: 'cancelled',
  REJECTED: 'cancelled',
  ABORTED: 'cancelled',
  TIMEOUT: 'cancelled',
};

/** Whether a status, of a booking or of one of its activities, means that the people will not come. */
export const isCancelled = (status: unknown): boolean =>
  typeof status === 'string' && statusMap[status] === 'cancelled';

export const displayName = 'Bókun';

/** Throws the error for a response; a 2xx passes. */
export function raiseForBokun(response: BookingSystemResponse, request: RequestPurpose): void {
  const vendorMessage = vendorMessageIn(response.data, 'message');
  raiseForStatus(response, { bookingSystem: displayName, vendorMessage, ...request });
}

/** Bókun redirects a request for which the key lacks a permission, instead of refusing it. */
export function judgeAnswer({ status }: BookingSystemResponse): AnswerMeaning | undefined {
  if (status !== 303) return undefined;
  return { meaning: 'no-permission', vendorMessage: 'the key lacks the permission to read bookings' };
}

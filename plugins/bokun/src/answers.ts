import type { AnswerMeaning, BookingSystemResponse, StatusGroup } from '@waiver-service/core';
import { objectOf, textOf } from '@waiver-service/plugin-kit';

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

/** The message of an error; `''` if there is none. */
export const vendorMessageOf = ({ data }: BookingSystemResponse): string =>
  textOf(objectOf(data).message) ?? '';

/** Bókun redirects a request for which the key lacks a permission, instead of refusing it. */
export function judgeAnswer({ status }: BookingSystemResponse): AnswerMeaning | undefined {
  if (status !== 303) return undefined;
  return { meaning: 'no-permission', vendorMessage: 'the key lacks the permission to read bookings' };
}

import type { AnswerMeaning, BookingSystemResponse } from '@waiver-service/core';
import { objectOf, textOf } from '@waiver-service/plugin-kit';

export const displayName = 'Bókun';

/** The message of an error; `''` if there is none. */
export const vendorMessageOf = ({ data }: BookingSystemResponse): string =>
  textOf(objectOf(data).message) ?? '';

/** Bókun redirects a request for which the key lacks a permission, instead of refusing it. */
export function judgeAnswer({ status }: BookingSystemResponse): AnswerMeaning | undefined {
  if (status !== 303) return undefined;
  return { meaning: 'bad-key', vendorMessage: 'the key lacks the permission to read bookings' };
}

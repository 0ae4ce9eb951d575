import type { AnswerMeaning, BookingSystemResponse } from '@waiver-service/core';
import {
  objectOf,
  objectsIn,
  type RequestPurpose,
  raiseForStatus,
  textOf,
  vendorMessageIn,
} from '@waiver-service/plugin-kit';

export const displayName = 'ROLLER';

// How long ROLLER blocks a credential set that exceeded its limit.
export const coolingOffMs = 60_000;

/** ROLLER's own words: a bare text, or the names and messages of `errors`. */
export function vendorMessageOf({ data }: BookingSystemResponse): string {
  if (typeof data === 'string') return data.trim().startsWith('<') ? '' : data.trim();
  return objectsIn(objectOf(data).errors)
    .map((error) => vendorMessageIn(error, 'name', 'message'))
    .join('; ');
}

/** Throws the error for a response; a 2xx passes. */
export const raiseForRoller = (response: BookingSystemResponse, request: RequestPurpose): void =>
  raiseForStatus(response, {
    bookingSystem: displayName,
    vendorMessage: vendorMessageOf(response),
    ...request,
  });

/** For a 429 without a time to wait, takes the penalty that ROLLER documents. */
export function judgeAnswer(answer: BookingSystemResponse): AnswerMeaning | undefined {
  if (answer.status !== 429) return undefined;
  const saysHowLong = textOf(answer.headers['retry-after']) !== undefined;
  return {
    meaning: 'throttled',
    vendorMessage: vendorMessageOf(answer),
    ...(saysHowLong ? {} : { retryAfterMs: coolingOffMs }),
  };
}

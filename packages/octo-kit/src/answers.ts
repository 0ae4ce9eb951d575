import type { AnswerMeaning, BookingSystemResponse } from '@waiver-service/core';
import {
  objectOf,
  raiseForList,
  raiseForRefusedWaiver,
  raiseForStatus,
  textOf,
} from '@waiver-service/plugin-kit';

// Messages are shown next to the plugin's own name.
const bookingSystem = 'The booking system';

/** The code and text of an error response. */
function vendorMessageOf({ data }: BookingSystemResponse): string {
  const { error, errorMessage } = objectOf(data);
  return [textOf(error), textOf(errorMessage)].filter((text) => text !== undefined).join(': ');
}

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
export const statusOf = (answer: BookingSystemResponse): number =>
  statusOfCode.get(codeOf(answer)) ?? answer.status;

/** Throws the error for a response; a 2xx passes. `bookingId` is given for a read, and absent for a write. */
export function raiseForOcto(answer: BookingSystemResponse, bookingId?: string): void {
  const vendorMessage = vendorMessageOf(answer);
  const response = { ...answer, status: statusOf(answer) };
  if (bookingId === undefined) raiseForRefusedWaiver(response, bookingSystem, vendorMessage);
  else raiseForStatus(response, { bookingSystem, bookingId, vendorMessage });
}

/** Throws the error for a response to a request not about a single booking; a 2xx passes. */
export function raiseForOctoList(answer: BookingSystemResponse): void {
  raiseForList({ ...answer, status: statusOf(answer) }, bookingSystem, vendorMessageOf(answer));
}

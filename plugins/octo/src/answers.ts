import type { BookingSystemResponse } from '@waiver-service/core';
import { objectOf, raiseForRefusedWaiver, raiseForStatus, textOf } from '@waiver-service/plugin-kit';

/** What operators read. */
export const displayName = 'OCTO (Ventrata and others)';

// OCTO has one status, 400, for everything: the code in the body says which one is meant.
const meanings = new Map<unknown, number>([
  ['UNAUTHORIZED', 401],
  ['FORBIDDEN', 403],
  ['INVALID_BOOKING_UUID', 404],
  ['INVALID_PRODUCT_ID', 404],
  ['INTERNAL_SERVER_ERROR', 500],
]);

/** The status that an answer means. */
export function statusOf({ status, data }: BookingSystemResponse): number {
  return (status === 400 ? meanings.get(objectOf(data).error) : undefined) ?? status;
}

/** Throws what an answer means that is not a success; `reading` is the booking that is read, if one is. */
export function raiseForOcto(answer: BookingSystemResponse, reading?: string): void {
  const { error, errorMessage } = objectOf(answer.data);
  const vendorMessage = [textOf(error), textOf(errorMessage)].filter((text) => text !== undefined).join(': ');
  const status = statusOf(answer);
  const response =
    status === answer.status
      ? answer
      : { ...answer, status, data: { success: false, message: vendorMessage } };
  if (reading === undefined) raiseForRefusedWaiver(response, displayName, vendorMessage);
  else raiseForStatus(response, { bookingSystem: displayName, bookingId: reading, vendorMessage });
}

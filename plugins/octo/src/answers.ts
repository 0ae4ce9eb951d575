import type { BookingSystemResponse } from '@waiver-service/core';
import { objectOf, raiseForRefusedWaiver, raiseForStatus, textOf } from '@waiver-service/plugin-kit';

export const displayName = 'OCTO (Ventrata and others)';

// OCTO answers every error with status 400 and a code in the body.
const statusOfCode = new Map<unknown, number>([
  ['UNAUTHORIZED', 401],
  ['FORBIDDEN', 403],
  ['INVALID_BOOKING_UUID', 404],
  ['INVALID_PRODUCT_ID', 404],
  ['INTERNAL_SERVER_ERROR', 500],
]);

/** The HTTP status that corresponds to a response's error code. */
export function statusOf({ status, data }: BookingSystemResponse): number {
  return (status === 400 ? statusOfCode.get(objectOf(data).error) : undefined) ?? status;
}

/** Throws the error for a response; a 2xx passes. `bookingId` is given for a read, and absent for a write. */
export function raiseForOcto(answer: BookingSystemResponse, bookingId?: string): void {
  const { error, errorMessage } = objectOf(answer.data);
  const vendorMessage = [textOf(error), textOf(errorMessage)].filter((text) => text !== undefined).join(': ');
  const status = statusOf(answer);
  const response =
    status === answer.status
      ? answer
      : { ...answer, status, data: { success: false, message: vendorMessage } };
  if (bookingId === undefined) raiseForRefusedWaiver(response, displayName, vendorMessage);
  else raiseForStatus(response, { bookingSystem: displayName, bookingId, vendorMessage });
}

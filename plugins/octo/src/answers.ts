import type { BookingSystemResponse } from '@waiver-service/core';
import { objectOf, raiseForRefusedWaiver, raiseForStatus } from '@waiver-service/plugin-kit';

/** What operators read. */
export const displayName = 'OCTO (Ventrata and others)';

// OCTO has one status, 400, for everything: the code in the body says which one is meant.
const meanings = new Map<unknown, number>([
  ['UNAUTHORIZED', 401],
  ['FORBIDDEN', 403],
  ['INVALID_BOOKING_UUID', 404],
  ['INTERNAL_SERVER_ERROR', 500],
]);

/** Throws what an answer means that is not a success; `reading` is the booking that is read, if one is. */
export function raiseForOcto(answer: BookingSystemResponse, reading?: string): void {
  const message = String(objectOf(answer.data).error ?? '');
  const status = answer.status === 400 ? meanings.get(message) : undefined;
  const response = status === undefined ? answer : { ...answer, status, data: { success: false, message } };
  if (reading === undefined) raiseForRefusedWaiver(response, displayName, message);
  else raiseForStatus(response, { bookingSystem: displayName, bookingId: reading });
}

import type { BookingSystemHttp } from '@waiver-service/core';
import { expectObject, type JsonObject } from '@waiver-service/plugin-kit';
import { raiseForOcto } from './answers.ts';

/**
 * Requests a booking by its path. `bookingId` is given for a read, and absent for the read that precedes a write. Throws
 * core's errors.
 */
export async function requestBooking(
  http: BookingSystemHttp,
  path: string,
  bookingId?: string,
): Promise<JsonObject> {
  const response = await http.get(path);
  raiseForOcto(response, bookingId);
  return expectObject(response.data);
}

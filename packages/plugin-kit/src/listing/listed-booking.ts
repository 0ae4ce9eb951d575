import {
  type BookingSystemResponse,
  type FetchedBooking,
  InvalidBookingResponse,
  isInvalidBookingResponse,
  type ListedBooking,
  MalformedListCursor,
} from '@waiver-service/core';
import type { z } from 'zod';
import { isSuccess } from '../answers/answer-errors.ts';
import { raiseForFailure } from '../answers/raise-for-status.ts';
import { isJsonObject, type JsonObject } from '../reading/json.ts';
import { textOf } from '../reading/vendor-text.ts';

/** The id of a booking in a list. Throws InvalidBookingResponse if there is none. */
export function listedId(id: unknown): string {
  const bookingId = textOf(id);
  if (bookingId !== undefined) return bookingId;
  throw new InvalidBookingResponse('the list has a booking without an id');
}

/** A booking in a list. One that cannot be read is listed with the reason, so that the others are still returned. */
export async function listedBooking(
  id: unknown,
  read: (bookingId: string) => FetchedBooking | Promise<FetchedBooking>,
): Promise<ListedBooking> {
  const bookingId = listedId(id);
  try {
    return { bookingId, fetched: await read(bookingId) };
  } catch (error) {
    if (isInvalidBookingResponse(error)) return { bookingId, problem: error };
    throw error;
  }
}

/** Throws core's error for a status other than 2xx, for a request not about a single booking. */
export function raiseForList(
  response: BookingSystemResponse,
  bookingSystem: string,
  vendorMessage?: string,
): void {
  if (!isSuccess(response.status)) raiseForFailure(response, bookingSystem, vendorMessage);
}

/** The objects of a response's required list. Throws InvalidBookingResponse for anything else. */
export function requiredList(found: unknown, path: string): readonly JsonObject[] {
  if (Array.isArray(found) && found.every(isJsonObject)) return found;
  throw new InvalidBookingResponse(`the answer is no list of bookings: ${path} is no list of objects`);
}

/** Parses a cursor that the plugin wrote as JSON. Throws MalformedListCursor for anything else. */
export function readListCursor<T>(schema: z.ZodType<T>, cursor: string): T {
  try {
    return schema.parse(JSON.parse(cursor));
  } catch (cause) {
    throw new MalformedListCursor('This is no cursor of this list: begin it again, without one.', { cause });
  }
}

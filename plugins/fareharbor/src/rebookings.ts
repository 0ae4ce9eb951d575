import { type FetchedBooking, InvalidBookingResponse } from '@waiver-service/core';
import {
  bookingSegment,
  expectObject,
  isJsonObject,
  type JsonObject,
  textOf,
} from '@waiver-service/plugin-kit';
import { raiseForRead } from './answers.ts';
import { readBooking } from './native/read-booking.ts';
import type { Context } from './settings.ts';

// Each rebooking costs a request.
const maxRebookings = 10;

/** A booking as FareHarbor serves it, and its path. */
export interface FoundBooking {
  readonly path: string;
  readonly booking: JsonObject;
}

async function requestBooking({ http, account }: Context, uuid: string): Promise<FoundBooking> {
  const path = `companies/${account.shortname}/bookings/${bookingSegment(uuid, 'read')}/`;
  const response = await http.get(path);
  raiseForRead(response, uuid);
  const { booking } = expectObject(response.data);
  if (isJsonObject(booking)) return { path, booking };
  throw new InvalidBookingResponse('the answer is not a booking', [
    { path: 'booking', message: 'is missing' },
  ]);
}

/** Reads a booking and follows `rebooked_to`. Returns all bookings, the current one first. Throws core's errors. */
export async function followRebookings(
  context: Context,
  bookingId: string,
): Promise<[FoundBooking, ...FoundBooking[]]> {
  const visited = new Set([bookingId]);
  const found: [FoundBooking, ...FoundBooking[]] = [await requestBooking(context, bookingId)];
  for (;;) {
    const next = textOf(found[0].booking.rebooked_to);
    if (next === undefined) return found;
    if (visited.has(next) || visited.size > maxRebookings) {
      const how = visited.has(next) ? 'in a circle' : `more than ${maxRebookings} times`;
      throw new InvalidBookingResponse(`the booking was rebooked ${how}: look it up in FareHarbor`);
    }
    visited.add(next);
    found.unshift(await requestBooking(context, next));
  }
}

/** Reads one booking, or the one that replaced it. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  const [{ booking }] = await followRebookings(context, bookingId);
  return readBooking(booking, bookingId, context.settings.guestNameField);
}

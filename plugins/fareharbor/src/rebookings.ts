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

// Each step is a request; a visit that was moved more often is for a person to look at.
const mostSteps = 10;

/** One booking as FareHarbor holds it, and where. */
export interface FoundBooking {
  readonly path: string;
  readonly booking: JsonObject;
}

async function ask({ http, account }: Context, uuid: string): Promise<FoundBooking> {
  const path = `companies/${account.shortname}/bookings/${bookingSegment(uuid, 'read')}/`;
  const response = await http.get(path);
  raiseForRead(response, uuid);
  const { booking } = expectObject(response.data);
  if (isJsonObject(booking)) return { path, booking };
  throw new InvalidBookingResponse('the answer is not a booking', [
    { path: 'booking', message: 'is missing' },
  ]);
}

/** Reads a booking and follows `rebooked_to`: all of them, the one that stands first. Throws core's errors. */
export async function followRebookings(
  context: Context,
  bookingId: string,
): Promise<[FoundBooking, ...FoundBooking[]]> {
  const asked = new Set([bookingId]);
  const found: [FoundBooking, ...FoundBooking[]] = [await ask(context, bookingId)];
  for (;;) {
    const next = textOf(found[0].booking.rebooked_to);
    if (next === undefined) return found;
    if (asked.has(next) || asked.size > mostSteps) {
      const how = asked.has(next) ? 'in a circle' : `more than ${mostSteps} times`;
      throw new InvalidBookingResponse(`the booking was rebooked ${how}: look it up in FareHarbor`);
    }
    asked.add(next);
    found.unshift(await ask(context, next));
  }
}

/** Reads one booking; where it was rebooked, the booking that took its place. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  const [{ booking }] = await followRebookings(context, bookingId);
  return readBooking(booking, bookingId, context.settings.guestNameField);
}

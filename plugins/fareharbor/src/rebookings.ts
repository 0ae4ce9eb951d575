import { InvalidBookingResponse } from '@waiver-service/core';
import {
  bookingSegment,
  expectObject,
  isJsonObject,
  type JsonObject,
  textOf,
} from '@waiver-service/plugin-kit';
import { raiseForRead } from './answers.ts';
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

const rebookedTooOften = (how: string) =>
  new InvalidBookingResponse(`the booking was rebooked ${how}: look it up in FareHarbor`);

/** Reads a booking and follows `rebooked_to`. Returns all bookings, the current one first. Throws core's errors. */
export async function followRebookings(
  context: Context,
  bookingId: string,
): Promise<[FoundBooking, ...FoundBooking[]]> {
  const found: [FoundBooking, ...FoundBooking[]] = [await requestBooking(context, bookingId)];
  const visited = new Set([bookingId]);
  for (;;) {
    const next = textOf(found[0].booking.rebooked_to);
    if (next === undefined) return found;
    if (visited.has(next)) throw rebookedTooOften('in a circle');
    if (visited.size > maxRebookings) throw rebookedTooOften(`more than ${maxRebookings} times`);
    visited.add(next);
    found.unshift(await requestBooking(context, next));
  }
}

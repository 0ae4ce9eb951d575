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

/** A booking as FareHarbor serves it, its own id, and its path. */
export interface FoundBooking {
  readonly uuid: string;
  readonly path: string;
  readonly booking: JsonObject;
}

/** Reads one booking, also one that was replaced. Throws core's errors. */
export async function requestBooking({ http, account }: Context, uuid: string): Promise<FoundBooking> {
  const path = `companies/${account.shortname}/bookings/${bookingSegment(uuid, 'read')}/`;
  const response = await http.get(path);
  raiseForRead(response, uuid);
  const { booking } = expectObject(response.data);
  if (isJsonObject(booking)) return { uuid: textOf(booking.uuid) ?? uuid, path, booking };
  throw new InvalidBookingResponse('the answer is not a booking', [
    { path: 'booking', message: 'is missing' },
  ]);
}

const rebookedTooOften = (how: string) =>
  new InvalidBookingResponse(`the booking was rebooked ${how}: look it up in FareHarbor`);

/** Reads a booking, the bookings that it was rebooked to or from, and so on, the last one first. Throws core's errors. */
async function followRebookings(
  context: Context,
  first: FoundBooking,
  direction: 'rebooked_to' | 'rebooked_from',
): Promise<[FoundBooking, ...FoundBooking[]]> {
  const visited = new Set([first.uuid]);
  const found: [FoundBooking, ...FoundBooking[]] = [first];
  for (;;) {
    const next = textOf(found[0].booking[direction]);
    if (next === undefined) return found;
    if (visited.has(next)) throw rebookedTooOften('in a circle');
    if (visited.size > maxRebookings) throw rebookedTooOften(`more than ${maxRebookings} times`);
    visited.add(next);
    found.unshift(await requestBooking(context, next));
  }
}

/** Reads a booking, or the one that replaced it. Throws core's errors. */
export async function findCurrentBooking(context: Context, bookingId: string): Promise<FoundBooking> {
  const [current] = await followRebookings(context, await requestBooking(context, bookingId), 'rebooked_to');
  return current;
}

/** Reads the bookings that a booking has replaced, the oldest first. Throws core's errors. */
export async function findReplacedBookings(
  context: Context,
  current: FoundBooking,
): Promise<readonly FoundBooking[]> {
  const found = await followRebookings(context, current, 'rebooked_from');
  return found.filter((one) => one !== current);
}

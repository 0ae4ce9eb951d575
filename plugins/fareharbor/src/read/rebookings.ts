import { InvalidBookingResponse } from '@waiver-service/core';
import {
  bookingSegment,
  expectObject,
  isJsonObject,
  type JsonObject,
  textOf,
} from '@waiver-service/plugin-kit';
import { raiseForFareHarbor } from '../answers.ts';
import type { Context } from '../settings.ts';

// Each rebooking costs a request.
const maxRebookings = 10;

/** A booking as FareHarbor serves it, its own id, and its path. */
export interface FoundBooking {
  readonly uuid: string;
  readonly path: string;
  readonly booking: JsonObject;
}

/** Reads one booking, even if it was replaced. Throws core's errors. */
export async function requestBooking({ http, account }: Context, uuid: string): Promise<FoundBooking> {
  const path = `companies/${account.shortname}/bookings/${bookingSegment(uuid, 'read')}/`;
  const response = await http.get(path);
  raiseForFareHarbor(response, { purpose: 'read', bookingId: uuid });
  const { booking } = expectObject(response.data);
  if (isJsonObject(booking)) return { uuid: textOf(booking.uuid) ?? uuid, path, booking };
  throw new InvalidBookingResponse('the answer is not a booking', [
    { path: 'booking', message: 'is missing' },
  ]);
}

const rebookedTooOften = (how: string) =>
  new InvalidBookingResponse(`the booking was rebooked ${how}: look it up in FareHarbor`);

/** A booking, and those that it was rebooked to or from, each read on demand. Throws core's errors. */
async function* followRebookings(
  context: Context,
  first: FoundBooking,
  direction: 'rebooked_to' | 'rebooked_from',
): AsyncGenerator<FoundBooking> {
  const visited = new Set([first.uuid]);
  let found = first;
  for (;;) {
    yield found;
    const next = textOf(found.booking[direction]);
    if (next === undefined) return;
    if (visited.has(next)) throw rebookedTooOften('in a circle');
    if (visited.size > maxRebookings) throw rebookedTooOften(`more than ${maxRebookings} times`);
    visited.add(next);
    found = await requestBooking(context, next);
  }
}

/** Reads a booking, or the one that replaced it. Throws core's errors. */
export async function findCurrentBooking(context: Context, bookingId: string): Promise<FoundBooking> {
  let current = await requestBooking(context, bookingId);
  for await (const one of followRebookings(context, current, 'rebooked_to')) current = one;
  return current;
}

/**
 * A booking and those that it replaced, newest first. Each is read on demand, so that the caller can write to one
 * before the next is read. Throws core's errors.
 */
export const withReplacedBookings = (context: Context, current: FoundBooking): AsyncGenerator<FoundBooking> =>
  followRebookings(context, current, 'rebooked_from');

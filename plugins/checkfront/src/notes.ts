import type { Waiver } from '@waiver-service/core';
import {
  type JsonObject,
  objectOf,
  objectsIn,
  raiseForRefusedWaiver,
  rejectNotFound,
  textOf,
} from '@waiver-service/plugin-kit';
import { findBooking } from './fetch-booking.ts';
import type { Context } from './settings.ts';

const dayMs = 86_400_000;
// Each is a request. Whoever is tried again after more days than these has the whole list of 30 days asked for, once.
const maxDays = 5;

/**
 * The days whose notes may say of a waiver what its version says, newest first: from the version's own day until now,
 * and one more on both sides, since the days are those of the account's time zone, which we do not know. `undefined` is
 * the list without a day: 30 days.
 */
export function daysOfNotes({ updatedAt }: Waiver, now: Date): (string | undefined)[] {
  const day = Date.parse(updatedAt.slice(0, 10));
  const today = Date.parse(now.toISOString().slice(0, 10));
  const last = Math.max(day, today) + dayMs;
  const count = (last - day) / dayMs + 2;
  if (count > maxDays) return [undefined];
  return Array.from({ length: count }, (_, back) => new Date(last - back * dayMs).toISOString().slice(0, 10));
}

async function listNotes({ http }: Context, day: string | undefined): Promise<JsonObject[]> {
  const response = await http.get('booking/notes', { params: { date: day } });
  raiseForRefusedWaiver(response, 'Checkfront');
  return objectsIn(objectOf(response.data).notes);
}

const keyOf = (id: unknown) => textOf(id)?.toUpperCase();

/** The code and the number of a booking, which goes by either. */
async function idsOf(context: Context, bookingId: string): Promise<(string | undefined)[]> {
  const { code, number } = await findBooking(context, bookingId).catch(rejectNotFound);
  return [keyOf(bookingId), keyOf(code), keyOf(number)];
}

/**
 * The text of the newest note about a waiver on its booking. `mark` is how such a note begins. Checkfront lists the notes
 * of all bookings together, by the day. Throws core's errors.
 */
export async function newestNote(
  context: Context,
  waiver: Waiver,
  mark: string,
): Promise<string | undefined> {
  let ids: (string | undefined)[] = [keyOf(waiver.bookingId)];
  for (const day of daysOfNotes(waiver, new Date())) {
    const marked = (await listNotes(context, day)).filter(({ body }) => textOf(body)?.startsWith(`${mark} `));
    const isOurs = ({ booking_id: id }: JsonObject) => textOf(id) !== undefined && ids.includes(keyOf(id));
    // The booking is only looked at where a note names it otherwise, or names another one.
    if (ids.length === 1 && !marked.every(isOurs)) ids = await idsOf(context, waiver.bookingId);
    const ours = marked.filter(isOurs);
    const newest = ours.sort((one, other) => Number(one.note_id) - Number(other.note_id)).at(-1);
    if (newest !== undefined) return textOf(newest.body);
  }
  return undefined;
}

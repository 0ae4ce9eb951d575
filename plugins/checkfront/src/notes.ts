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
// Each day is a request. For more days than these, a single request lists the last 30 days.
const maxDays = 5;

/**
 * The days on which a note about this version of the waiver may have been added, newest first: from the version's day to
 * today, plus one day on both sides, since the account's time zone is unknown. `undefined` stands for the request without
 * a day, which lists 30 days.
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

/** The code and the number of a booking; notes may refer to either. */
async function idsOf(context: Context, bookingId: string): Promise<(string | undefined)[]> {
  const { code, number } = await findBooking(context, bookingId).catch(rejectNotFound);
  return [keyOf(bookingId), keyOf(code), keyOf(number)];
}

/**
 * The text of the newest note about a waiver on its booking; such notes begin with `marker`. Checkfront can only list the
 * notes of all bookings, by day. Throws core's errors.
 */
export async function newestNote(
  context: Context,
  waiver: Waiver,
  marker: string,
): Promise<string | undefined> {
  let ids: (string | undefined)[] = [keyOf(waiver.bookingId)];
  for (const day of daysOfNotes(waiver, new Date())) {
    const marked = (await listNotes(context, day)).filter(({ body }) =>
      textOf(body)?.startsWith(`${marker} `),
    );
    const isOurs = ({ booking_id: id }: JsonObject) => textOf(id) !== undefined && ids.includes(keyOf(id));
    // The booking is requested only if a note refers to another id, which may be the booking's other one.
    if (ids.length === 1 && !marked.every(isOurs)) ids = await idsOf(context, waiver.bookingId);
    const ours = marked.filter(isOurs);
    const newest = ours.sort((one, other) => Number(one.note_id) - Number(other.note_id)).at(-1);
    if (newest !== undefined) return textOf(newest.body);
  }
  return undefined;
}

import type { PushedWaiver, Waiver, Warning } from '@waiver-service/core';
import {
  bookingSegment,
  isJsonObject,
  type JsonObject,
  noteLineOf,
  noteMarkerOf,
  objectOf,
  objectsIn,
  textOf,
} from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { raiseForWrite } from './answers.ts';
import { findBooking } from './read.ts';

const dayMs = 86_400_000;
// Each day is a request. Beyond this many, a single request lists the last 30 days instead.
const maxDays = 5;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/**
 * The days on which a note about this version of the waiver may have been added, newest first: from the version's day to
 * today, plus one day on both sides, since the account's time zone is unknown. `undefined` stands for the request without
 * a day, which lists 30 days.
 */
export function daysOfNotes({ updatedAt }: Waiver, now: Date): (string | undefined)[] {
  const versionDay = Date.parse(updatedAt.slice(0, 10));
  const today = Date.parse(dayOf(now.getTime()));
  const first = versionDay - dayMs;
  const last = Math.max(versionDay, today) + dayMs;
  const count = (last - first) / dayMs + 1;
  if (count > maxDays) return [undefined];
  return Array.from({ length: count }, (_, back) => dayOf(last - back * dayMs));
}

async function listNotes({ http }: Context, day: string | undefined): Promise<JsonObject[]> {
  const response = await http.get('booking/notes', { params: { date: day } });
  // Reading an error as an empty list would add a note twice.
  raiseForWrite(response, 'did not list its notes');
  // A list, or an object by position, like Checkfront's items: overlooking notes would also add one twice.
  const { notes } = objectOf(response.data);
  return objectsIn(isJsonObject(notes) ? Object.values(notes) : notes);
}

type BookingIds = ReadonlySet<string>;

/** Codes are compared case-insensitively. */
const idSet = (ids: readonly unknown[]): BookingIds =>
  new Set(ids.flatMap((id) => textOf(id)?.toUpperCase() ?? []));

const isAbout = ({ booking_id }: JsonObject, ids: BookingIds) =>
  ids.has(textOf(booking_id)?.toUpperCase() ?? '');

/** The code and the number of a booking; notes may refer to either. */
async function allIdsOf(context: Context, bookingId: string): Promise<BookingIds> {
  const { code, number } = await findBooking(context, bookingId);
  return idSet([bookingId, code, number]);
}

function newestOf(notes: readonly JsonObject[]): JsonObject | undefined {
  return notes.toSorted((one, other) => Number(textOf(one.note_id)) - Number(textOf(other.note_id))).at(-1);
}

/**
 * The text of the newest note about a waiver on its booking; such notes begin with `marker`. Checkfront lists only the
 * notes of all bookings, by day. Throws core's errors.
 */
export async function newestNote(
  context: Context,
  waiver: Waiver,
  marker: string,
): Promise<string | undefined> {
  const isMarked = ({ body }: JsonObject) => textOf(body)?.startsWith(`${marker} `) === true;
  let ids = idSet([waiver.bookingId]);
  let areAllIdsKnown = false;
  for (const day of daysOfNotes(waiver, new Date())) {
    const marked = (await listNotes(context, day)).filter(isMarked);
    // Request the booking only if a note refers to another id: it may be the booking's other one.
    if (!areAllIdsKnown && !marked.every((note) => isAbout(note, ids))) {
      ids = await allIdsOf(context, waiver.bookingId);
      areAllIdsKnown = true;
    }
    const newest = newestOf(marked.filter((note) => isAbout(note, ids)));
    if (newest !== undefined) return textOf(newest.body);
  }
  return undefined;
}

const maxNoteLength = 3000;

/** A note about a waiver. */
interface Note {
  /** `[waiver <id>]`, the beginning of all notes about this waiver. */
  readonly marker: string;
  readonly text: string;
}

function noteOf(waiver: Waiver): Note {
  const marker = noteMarkerOf(waiver);
  if (!waiver.deleted) return { marker, text: noteLineOf(waiver) };
  return { marker, text: `${marker} voided ${waiver.updatedAt.slice(0, 10)}` };
}

async function addNote({ http }: Context, segment: string, body: string): Promise<void> {
  const response = await http.post(`booking/${segment}/note`, new URLSearchParams({ body }).toString(), {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  raiseForWrite(response, 'did not take the note');
}

const partlyWritten = (message: string): Warning => ({ code: 'waiver_partly_written', message });

function warningsOf(waiver: Waiver, { text }: Note): Warning[] {
  if (waiver.deleted) {
    return [partlyWritten('Checkfront keeps its notes: a further one says that the waiver is void')];
  }
  if (text.length <= maxNoteLength) return [];
  return [partlyWritten(`the note was cut off after ${maxNoteLength} characters`)];
}

/**
 * Adds a note about the waiver, unless the newest one says the same. Checkfront's notes can be neither changed nor
 * removed: a void adds another one, with a warning.
 */
export async function pushWaiver(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  const segment = bookingSegment(waiver.bookingId, 'guest-update');
  const note = noteOf(waiver);
  const body = note.text.slice(0, maxNoteLength).toWellFormed().trimEnd();
  if ((await newestNote(context, waiver, note.marker)) !== body) await addNote(context, segment, body);
  return { accepted: true, warnings: warningsOf(waiver, note) };
}

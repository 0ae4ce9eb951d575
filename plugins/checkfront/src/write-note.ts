import { type PushedWaiver, type Waiver, WaiverRejected } from '@waiver-service/core';
import {
  bookingSegment,
  noteLineOf,
  objectOf,
  objectsIn,
  quoted,
  raiseForRefusedWaiver,
  textOf,
} from '@waiver-service/plugin-kit';
import type { Context } from './settings.ts';

const longestNote = 3000;

/** The newest note about a waiver among those of the last 30 days, which is what Checkfront lists. */
async function newestNote({ http }: Context, bookingId: string, mark: string): Promise<string | undefined> {
  const response = await http.get('booking/notes');
  raiseForRefusedWaiver(response, 'Checkfront');
  const ours = objectsIn(objectOf(response.data).notes).filter(
    ({ body, booking_id: id }) => textOf(id) === bookingId && textOf(body)?.startsWith(`${mark} `),
  );
  return textOf(ours.sort((one, other) => Number(one.note_id) - Number(other.note_id)).at(-1)?.body);
}

async function addNote({ http }: Context, segment: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const response = await http.post(`booking/${segment}/note`, `${new URLSearchParams({ body })}`, {
    headers,
  });
  raiseForRefusedWaiver(response, 'Checkfront');
  const said = textOf(objectOf(objectOf(response.data).request).status) ?? 'OK';
  if (said.toUpperCase() === 'OK') return;
  const details = { retry: 'schedule', outboundErrorCode: 'not_accepted' } as const;
  throw new WaiverRejected(`Checkfront did not take the note, saying ${quoted(said)}`, details);
}

/**
 * Adds a note that says what has become of the waiver, unless the newest one says so already. Checkfront's notes can be
 * neither changed nor removed: a void adds a note that says so, with a warning.
 */
export async function writeNote(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  const segment = bookingSegment(waiver.bookingId, 'guest-update');
  const line = noteLineOf(waiver);
  // `[waiver <id>]`: the id is percent-encoded, so that it has no bracket.
  const mark = line.slice(0, line.indexOf(']') + 1);
  const text = waiver.deleted ? `${mark} voided ${waiver.updatedAt.slice(0, 10)}` : line;
  const body = text.slice(0, longestNote).toWellFormed().trimEnd();
  if ((await newestNote(context, waiver.bookingId, mark)) !== body) await addNote(context, segment, body);
  const partly = waiver.deleted
    ? 'Checkfront keeps its notes: a further one says that the waiver is void'
    : text.length > longestNote && `the note was cut off after ${longestNote} characters`;
  return { accepted: true, warnings: partly ? [{ code: 'waiver_partly_written', message: partly }] : [] };
}

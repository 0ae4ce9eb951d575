import { type PushedWaiver, type Waiver, WaiverRejected } from '@waiver-service/core';
import {
  bookingSegment,
  noteLineOf,
  objectOf,
  quoted,
  raiseForRefusedWaiver,
  textOf,
} from '@waiver-service/plugin-kit';
import { newestNote } from './notes.ts';
import type { Context } from './settings.ts';

const maxNoteLength = 3000;

async function addNote({ http }: Context, segment: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const response = await http.post(`booking/${segment}/note`, `${new URLSearchParams({ body })}`, {
    headers,
  });
  raiseForRefusedWaiver(response, 'Checkfront');
  const status = textOf(objectOf(objectOf(response.data).request).status) ?? 'OK';
  if (status.toUpperCase() === 'OK') return;
  const details = { retry: 'schedule', outboundErrorCode: 'not_accepted' } as const;
  throw new WaiverRejected(`Checkfront did not take the note, saying ${quoted(status)}`, details);
}

/**
 * Adds a note about the waiver, unless the newest one says the same. Checkfront's notes can be neither changed nor removed:
 * a void adds another note, with a warning.
 */
export async function writeNote(context: Context, waiver: Waiver): Promise<PushedWaiver> {
  const segment = bookingSegment(waiver.bookingId, 'guest-update');
  const line = noteLineOf(waiver);
  // `[waiver <id>]`: the id is percent-encoded and contains no bracket.
  const marker = line.slice(0, line.indexOf(']') + 1);
  const text = waiver.deleted ? `${marker} voided ${waiver.updatedAt.slice(0, 10)}` : line;
  const body = text.slice(0, maxNoteLength).toWellFormed().trimEnd();
  if ((await newestNote(context, waiver, marker)) !== body) await addNote(context, segment, body);
  const message = waiver.deleted
    ? 'Checkfront keeps its notes: a further one says that the waiver is void'
    : text.length > maxNoteLength && `the note was cut off after ${maxNoteLength} characters`;
  return { accepted: true, warnings: message ? [{ code: 'waiver_partly_written', message }] : [] };
}

import type { PushedWaiver, Waiver, Warning } from '@waiver-service/core';
import { bookingSegment, noteLineOf, noteMarkerOf } from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { raiseForWrite } from './answers.ts';
import { newestNote } from './write/notes.ts';

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

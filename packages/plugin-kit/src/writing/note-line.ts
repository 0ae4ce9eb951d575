import { type Waiver, waiverFieldNames } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';
import { closingMark, findNoteLines, type NoteLine, removeNoteLines } from './find-note-lines.ts';

const contractFields: readonly string[] = waiverFieldNames;

/**
 * `[waiver <id>]`: the start of every line about a waiver. Percent-encoding keeps it on one line and free of `]`,
 * whatever the id contains.
 */
export const noteMarkerOf = ({ id }: Waiver): string => `[waiver ${percentEncode(id)}]`;

const separator = ' · ';
const afterName = ': ';

const onOneLine = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim();

// The line is parsed later, so neither an answer nor its name may look like another answer, another waiver's line or
// the end of this one.
const plain = (text: string) =>
  text
    .replace(/(?<= |^)·(?= |$)/g, '•')
    .replaceAll('[waiver ', '(waiver ')
    .replaceAll(closingMark, '(end)');
const plainAnswer = (answer: unknown) => plain(onOneLine(answer));
const plainName = (name: string) => plain(onOneLine(name).replace(/:(?= |$)/g, ''));

/**
 * The line about a waiver in a booking's note: its id, the date of its last update, and the answers that the installation
 * shares. It does not say "signed", because a Guest Update (contract 2.5) is also sent after each step of a multi-step
 * waiver, and says neither whether the waiver is complete nor when it was signed.
 */
export function noteLineOf(waiver: Waiver): string {
  const shared = Object.entries(waiver)
    .filter(([name, value]) => !contractFields.includes(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${plainName(name)}${afterName}${plainAnswer(value)}`);
  return [`${noteMarkerOf(waiver)} updated ${waiver.updatedAt.slice(0, 10)}`, ...shared].join(separator);
}

/** The answers in a line of {@link noteLineOf}, by name, as text. */
function answersOfLine(line: string): Readonly<Record<string, string>> {
  const answers = line.replace(closingMark, '').trimEnd().split(separator).slice(1);
  return Object.fromEntries(
    answers.map((answer) => {
      const end = answer.indexOf(afterName);
      // An empty answer at the end of a line has no space after its name.
      return end < 0
        ? [answer.replace(/:$/, ''), '']
        : [answer.slice(0, end), answer.slice(end + afterName.length)];
    }),
  );
}

function ownLines(note: string, waiver: Waiver): readonly NoteLine[] {
  const ownMarker = noteMarkerOf(waiver);
  return findNoteLines(note).filter(({ marker }) => marker === ownMarker);
}

/** A note without the waiver's line. */
export const withoutOwnNoteLine = (note: string, waiver: Waiver): string =>
  removeNoteLines(note, ownLines(note, waiver));

/**
 * Adds or replaces the waiver's line in a note, or removes it if the waiver is voided. The line is closed by `[end]`. All
 * other text, which staff may have written, stays unchanged, even on the same line as ours.
 */
export function withNoteLine(note: string, waiver: Waiver): string {
  if (waiver.deleted) return withoutOwnNoteLine(note, waiver);
  const line = `${noteLineOf(waiver).trimEnd()} ${closingMark}`;
  const [first, ...repeated] = ownLines(note, waiver);
  if (first === undefined) return note === '' ? line : `${note}\n${line}`;
  const once = removeNoteLines(note, repeated);
  return once.slice(0, first.start) + line + once.slice(first.end);
}

/** The waiver's own lines in a note: one, unless others have edited it. */
export const ownNoteLines = (note: string, waiver: Waiver): readonly string[] =>
  ownLines(note, waiver).map(({ text }) => text);

/** The answers in the waiver's line of a note, by name; `undefined` if the note has no such line. */
export function answersInNote(note: string, waiver: Waiver): Readonly<Record<string, string>> | undefined {
  const [own] = ownNoteLines(note, waiver);
  return own === undefined ? undefined : answersOfLine(own);
}

/** Normalizes a note for comparison with what a vendor stored: trims it, and the end of each line. */
export const normalizeNote = (note: string): string => note.replace(/[ \t\r]*\n/g, '\n').trim();

/** A note without its waiver lines, which may contain other guests' answers. */
export const withoutNoteLines = (note: string): string => removeNoteLines(note, findNoteLines(note));

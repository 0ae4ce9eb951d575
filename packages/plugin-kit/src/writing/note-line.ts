import { type Waiver, waiverFieldNames } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';

const contractFields: readonly string[] = waiverFieldNames;

/**
 * `[waiver <id>]`: the beginning of all lines about a waiver. Percent-encoding keeps it on one line and free of `]`,
 * whatever the id contains.
 */
export const noteMarkerOf = ({ id }: Waiver): string => `[waiver ${percentEncode(id)}]`;

const separator = ' · ';
const afterName = ': ';

const onOneLine = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim();

// The line is read again, so neither an answer nor its name may look like the next answer.
const plainAnswer = (answer: unknown) => onOneLine(answer).replace(/(?<= |^)·(?= |$)/g, '•');
const plainName = (name: string) => plainAnswer(name).replace(/:(?= |$)/g, '');

/**
 * The line about a waiver in a booking's note: its id, the date of its last update, and the answers that the installation
 * shares. It does not say "signed": a Guest Update (contract 2.5) is sent at each step of a multi-step waiver too, and
 * tells neither whether the waiver is finished nor when it was signed.
 */
export function noteLineOf(waiver: Waiver): string {
  const shared = Object.entries(waiver)
    .filter(([name, value]) => !contractFields.includes(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${plainName(name)}${afterName}${plainAnswer(value)}`);
  return [`${noteMarkerOf(waiver)} updated ${waiver.updatedAt.slice(0, 10)}`, ...shared].join(separator);
}

/** The answers in a line of {@link noteLineOf}, by name, each as the text that the line has. */
function answersOfLine(line: string): Readonly<Record<string, string>> {
  const answers = line.split(separator).slice(1);
  return Object.fromEntries(
    answers.map((answer) => {
      const end = answer.indexOf(afterName);
      // A vendor may take the space at the end of an empty answer.
      return end < 0
        ? [answer.replace(/:$/, ''), '']
        : [answer.slice(0, end), answer.slice(end + afterName.length)];
    }),
  );
}

/**
 * Adds or replaces the waiver's line in a note, or removes it if the waiver is voided. All other lines, which staff may
 * have written, are unchanged.
 */
export function withNoteLine(note: string, waiver: Waiver): string {
  const marker = noteMarkerOf(waiver);
  const isOurs = (line: string) => line === marker || line.startsWith(`${marker} `);
  const lines = note === '' ? [] : note.split('\n');
  const first = lines.findIndex(isOurs);
  if (waiver.deleted) return lines.filter((line) => !isOurs(line)).join('\n');
  if (first === -1) return [...lines, noteLineOf(waiver)].join('\n');
  return lines
    .flatMap((line, index) => (index === first ? noteLineOf(waiver) : isOurs(line) ? [] : line))
    .join('\n');
}

/** A note without the waiver's line. */
export const withoutOwnNoteLine = (note: string, waiver: Waiver): string =>
  withNoteLine(note, { ...waiver, deleted: true });

/** The waiver's own lines in a note: one, unless others have edited it. */
export const ownNoteLines = (note: string, waiver: Waiver): readonly string[] =>
  note.split('\n').filter((line) => line !== '' && withoutOwnNoteLine(line, waiver) === '');

/** The answers in the waiver's line of a note, by name; `undefined` if the note has no such line. */
export function answersInNote(note: string, waiver: Waiver): Readonly<Record<string, string>> | undefined {
  const [own] = ownNoteLines(normalizeNote(note), waiver);
  return own === undefined ? undefined : answersOfLine(own);
}

/** A note as vendors may store it, for comparisons: without white space at the ends of its lines, and around it. */
export const normalizeNote = (note: string): string => note.replace(/[ \t\r]*\n/g, '\n').trim();

const anyMarker = /^\[waiver [^\]\s]+\]( |$)/;

/** A note without its waiver lines, which may contain other guests' answers. */
export function withoutNoteLines(note: string): string {
  return note
    .split('\n')
    .filter((line) => !anyMarker.test(line))
    .join('\n');
}

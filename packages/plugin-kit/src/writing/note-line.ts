import { type Waiver, waiverFieldNames } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';

const contractFields: readonly string[] = waiverFieldNames;

// The id is percent-encoded, so that a line is found again whatever the id holds, and one id is never the start of
// another's mark.
const markOf = ({ id }: Waiver) => `[waiver ${percentEncode(id)}]`;

const onOneLine = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim();

/** What a note says of a waiver: its id and date, and only such answers as the installation shares. */
export function noteLineOf(waiver: Waiver): string {
  const shared = Object.entries(waiver)
    .filter(([name, value]) => !contractFields.includes(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${onOneLine(name)}: ${onOneLine(value)}`);
  return [`${markOf(waiver)} signed ${waiver.updatedAt.slice(0, 10)}`, ...shared].join(' · ');
}

/**
 * A note with the waiver's line brought up to date: replaced where it stands, else added at the end, taken out where
 * the waiver is voided. Every other line, which staff may have written, stays as it is.
 */
export function withNoteLine(note: string, waiver: Waiver): string {
  const mark = markOf(waiver);
  const isOurs = (line: string) => line === mark || line.startsWith(`${mark} `);
  const lines = note === '' ? [] : note.split('\n');
  const first = lines.findIndex(isOurs);
  if (waiver.deleted) return lines.filter((line) => !isOurs(line)).join('\n');
  if (first === -1) return [...lines, noteLineOf(waiver)].join('\n');
  return lines
    .flatMap((line, index) => (index === first ? noteLineOf(waiver) : isOurs(line) ? [] : line))
    .join('\n');
}

const anyMark = /^\[waiver [^\]\s]+\]( |$)/;

/** What staff wrote: a note without the lines of waivers, which may tell of other guests. */
export function withoutNoteLines(note: string): string {
  return note
    .split('\n')
    .filter((line) => !anyMark.test(line))
    .join('\n');
}

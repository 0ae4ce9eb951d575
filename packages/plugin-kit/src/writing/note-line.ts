import {
  type PushedWaiver,
  type Waiver,
  WaiverRejected,
  type Warning,
  waiverFieldNames,
} from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';
import { kindOf, quoted } from '../reading/json.ts';

/** A waiver's line in a note: from its marker to {@link closingMark}, without text that staff wrote around it. */
interface NoteLine {
  /** `[waiver <id>]`, from `noteMarkerOf`. */
  readonly marker: string;
  readonly text: string;
  /** The line's position in the note. */
  readonly start: number;
  readonly end: number;
}

/** Closes a waiver's line, so that staff can keep typing after it. */
const closingMark = '[end]';

// A marker is not enough, since staff may quote one. Where line breaks are stored as spaces, our lines are in the middle
// of a line. A line of the earlier form ("signed"), or one cut off behind its marker, counts only at the start of a line.
const beginning =
  /\[waiver [^\]\s]+\](?= updated \d{4}-\d{2}-\d{2})|^\[waiver [^\]\s]+\](?= signed \d{4}-\d{2}-\d{2}|[^\S\r\n]*$)/gm;

/**
 * Finds the lines about waivers in a note. An unclosed one, cut off by the vendor or edited by staff, ends at the line
 * break or at the next marker.
 */
function findNoteLines(note: string): readonly NoteLine[] {
  const markers = [...note.matchAll(beginning)];
  return markers.map(({ 0: marker, index: start }, position) => {
    const [open = ''] = note.slice(start, markers[position + 1]?.index).split(/[\r\n]/, 1);
    const closed = open.indexOf(closingMark);
    const text = closed < 0 ? open.trimEnd() : open.slice(0, closed + closingMark.length);
    return { marker, text, start, end: start + text.length };
  });
}

// Only white space up to the end of the line.
const blankRest = /[^\S\r\n]*(\r?\n|$)/y;

/** The length of the line break at the end of a text; 0 if there is none. */
function breakLengthOf(text: string): number {
  if (text.endsWith('\r\n')) return 2;
  return text.endsWith('\n') || text.endsWith('\r') ? 1 : 0;
}

/**
 * Removes some of the lines that {@link findNoteLines} found, each with the line break or space that separated it from
 * other text, which stays unchanged. Takes linear time, since a vendor's note may have very many lines.
 */
function removeNoteLines(note: string, lines: readonly NoteLine[]): string {
  // Never contains an empty text.
  const kept: string[] = [];
  const keep = (text: string) => {
    if (text !== '') kept.push(text);
  };
  let position = 0;
  for (const { start, end } of lines) {
    keep(note.slice(position, start));
    position = end;
    const before = kept.at(-1) ?? '';
    const isAtStart = before === '' || breakLengthOf(before) > 0;
    const cutBefore = (length: number) => keep(kept.pop()?.slice(0, -length) ?? '');
    blankRest.lastIndex = end;
    const [blank, lineBreak = ''] = blankRest.exec(note) ?? [];
    if (blank === undefined) {
      if ((isAtStart || before.endsWith(' ')) && note[end] === ' ') position += 1;
    } else if (isAtStart) {
      position += blank.length;
      if (lineBreak === '') cutBefore(breakLengthOf(before));
    } else {
      position += blank.length - lineBreak.length;
      if (before.endsWith(' ')) cutBefore(1);
    }
  }
  keep(note.slice(position));
  return kept.join('');
}

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

/** A booking's note at a vendor, which staff write too and which is replaced as a whole. */
export interface VendorNote {
  /** The booking system's display name. */
  readonly bookingSystem: string;
  /** The booking that has the note. */
  readonly bookingId: string;
  /** The note as it was just read: a text, or null if there is none. */
  readonly note: unknown;
  /** Replaces the note, and returns it as another read shows it: a response does not say what was stored. */
  replace(note: string): Promise<unknown>;
}

/** A note before a write, as sent, and as read afterwards. */
interface WrittenNote {
  readonly former: string;
  readonly sent: string;
  readonly kept: string;
}

/**
 * `otherwise`: the waiver's line is there (or gone, for a void), but not all of the note is as sent; `not-written`: the
 * line is missing or still the previous one, or a void left it.
 */
type JudgedNote = 'as-sent' | 'otherwise' | 'not-written';

const ownText = (note: string, waiver: Waiver) => normalizeNote(ownNoteLines(note, waiver).join('\n'));

/** Judges a write by what the note shows of the waiver afterwards. */
function judgeNote({ former, sent, kept }: WrittenNote, waiver: Waiver): JudgedNote {
  if (normalizeNote(kept) === normalizeNote(sent)) return 'as-sent';
  const own = ownText(kept, waiver);
  if (own === ownText(sent, waiver)) return 'otherwise';
  // A line that is neither the previous nor the sent one was cut off or altered on the way.
  const isAltered = !waiver.deleted && own !== '' && own !== ownText(former, waiver);
  return isAltered ? 'otherwise' : 'not-written';
}

function textOfNote({ bookingSystem }: VendorNote, note: unknown): string {
  if (typeof note === 'string') return note;
  if (note === null) return '';
  // Overwriting a note that our key may not read would destroy what staff wrote.
  const message = `${bookingSystem}’s booking has a note that is ${kindOf(note)}: its key must be allowed to read notes`;
  throw new WaiverRejected(message, { retry: 'schedule' });
}

async function writeLine(vendorNote: VendorNote, former: string, waiver: Waiver): Promise<WrittenNote> {
  const sent = withNoteLine(former, waiver);
  const kept = sent === former ? former : textOfNote(vendorNote, await vendorNote.replace(sent));
  return { former, sent, kept };
}

function warningOf({ bookingSystem, bookingId }: VendorNote): Warning {
  const message = `${bookingSystem} keeps another note than the one it was sent: look at the note of booking ${quoted(bookingId)}`;
  return { code: 'waiver_partly_written', path: 'note', message };
}

/**
 * Writes a waiver's line into a booking's note, or removes it for a void; all other text stays unchanged. Only what the
 * note shows afterwards counts as written. Staff who had the note open may save it right after the write and thereby
 * remove the line: then it is written once more, into what they saved. What they save between a read and the write that
 * follows it is lost.
 */
export async function pushNoteLine(vendorNote: VendorNote, waiver: Waiver): Promise<PushedWaiver> {
  const { bookingSystem, bookingId } = vendorNote;
  const first = await writeLine(vendorNote, textOfNote(vendorNote, vendorNote.note), waiver);
  const judged =
    judgeNote(first, waiver) === 'not-written'
      ? judgeNote(await writeLine(vendorNote, first.kept, waiver), waiver)
      : judgeNote(first, waiver);
  if (judged !== 'not-written') {
    return { accepted: true, warnings: judged === 'otherwise' ? [warningOf(vendorNote)] : [] };
  }
  const reason = waiver.deleted
    ? `${bookingSystem} took the note, and the waiver’s line is still in it: remove it by hand (booking ${bookingId})`
    : `${bookingSystem} took the note and did not keep the waiver’s line: note the waiver by hand (booking ${bookingId})`;
  return { accepted: false, reason, warnings: [] };
}

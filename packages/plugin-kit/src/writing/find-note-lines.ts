/** A waiver's line in a note: from its marker to {@link closingMark}, without the text that staff wrote around it. */
export interface NoteLine {
  /** `[waiver <id>]`, as `noteMarkerOf` has it. */
  readonly marker: string;
  readonly text: string;
  /** The line's position in the note. */
  readonly start: number;
  readonly end: number;
}

/** Closes a waiver's line, so that staff may go on typing behind it. */
export const closingMark = '[end]';

// Fields that store line breaks as spaces have our lines within a line. There a marker does not suffice: staff may write
// one.
const beginning = /(?:^\[waiver [^\]\s]+\](?=\s|$))|(?:\[waiver [^\]\s]+\](?= updated \d{4}-\d{2}-\d{2}))/gm;

/**
 * Finds the lines about waivers in a note. One that is not closed, because the vendor cut it off or staff edited it, ends
 * where the line ends or the next one begins.
 */
export function findNoteLines(note: string): readonly NoteLine[] {
  const markers = [...note.matchAll(beginning)];
  return markers.map(({ 0: marker, index: start }, position) => {
    const [open = ''] = note.slice(start, markers[position + 1]?.index).split(/[\r\n]/, 1);
    const closed = open.indexOf(closingMark);
    const text = closed < 0 ? open.trimEnd() : open.slice(0, closed + closingMark.length);
    return { marker, text, start, end: start + text.length };
  });
}

/** Joins the texts around a removed line, without the line break or the space that separated them from it. */
function joinAround(before: string, after: string): string {
  const isAtStart = before === '' || /[\r\n]$/.test(before);
  const endOfText = /^[^\S\r\n]*(\r?\n|$)/.exec(after);
  if (endOfText === null)
    return before + (isAtStart || before.endsWith(' ') ? after.replace(/^ /, '') : after);
  const [blank, lineBreak = ''] = endOfText;
  const next = after.slice(blank.length);
  if (!isAtStart) return before.replace(/ $/, '') + lineBreak + next;
  return lineBreak === '' ? before.replace(/\r?\n$/, '') : before + next;
}

/** The note without some of the lines that {@link findNoteLines} found in it. All other text is unchanged. */
export function removeNoteLines(note: string, lines: readonly NoteLine[]): string {
  return lines.reduceRight((text, { start, end }) => joinAround(text.slice(0, start), text.slice(end)), note);
}

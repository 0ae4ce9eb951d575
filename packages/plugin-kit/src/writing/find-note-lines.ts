/** A waiver's line in a note: from its marker to {@link closingMark}, without text that staff wrote around it. */
export interface NoteLine {
  /** `[waiver <id>]`, from `noteMarkerOf`. */
  readonly marker: string;
  readonly text: string;
  /** The line's position in the note. */
  readonly start: number;
  readonly end: number;
}

/** Closes a waiver's line, so that staff can keep typing after it. */
export const closingMark = '[end]';

// A marker is not enough, since staff may quote one. Where line breaks are stored as spaces, our lines are in the middle
// of a line. A line of the earlier form ("signed"), or one cut off behind its marker, counts only at the start of a line.
const beginning =
  /\[waiver [^\]\s]+\](?= updated \d{4}-\d{2}-\d{2})|^\[waiver [^\]\s]+\](?= signed \d{4}-\d{2}-\d{2}|[^\S\r\n]*$)/gm;

/**
 * Finds the lines about waivers in a note. An unclosed one, cut off by the vendor or edited by staff, ends at the line
 * break or at the next marker.
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
export function removeNoteLines(note: string, lines: readonly NoteLine[]): string {
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

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

// White space only, up to the end of the line.
const blankRest = /[^\S\r\n]*(\r?\n|$)/y;

/** The length of the line break at the end of a text; 0 if there is none. */
function breakLengthOf(text: string): number {
  if (text.endsWith('\r\n')) return 2;
  return text.endsWith('\n') || text.endsWith('\r') ? 1 : 0;
}

/**
 * The note without some of the lines that {@link findNoteLines} found in it, and without the line break or the space that
 * separated each from other text, which is unchanged. Takes linear time, since a vendor's note may have very many lines.
 */
export function removeNoteLines(note: string, lines: readonly NoteLine[]): string {
  // None of them is empty.
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

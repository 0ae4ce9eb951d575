import { createRequire } from 'node:module';
import type { FormTextSpan } from '@waiver-service/forms';
import type { Bidi } from 'bidi-js';
import { type DocumentFont, fontFor } from './document-fonts.ts';

// Its types describe an ES module, but what Node loads is the function itself.
const createBidi: () => Bidi = createRequire(import.meta.url)('bidi-js');
const bidi = createBidi();

/** Text in one font and one direction, as it is drawn. */
export interface TextRun {
  /** In the order that fontkit expects. */
  readonly text: string;
  readonly font: DocumentFont;
}

/** A line, its runs from left to right. */
export type TextLine = readonly TextRun[];

interface Character {
  readonly text: string;
  readonly font: DocumentFont;
  readonly level: number;
}

export interface LineOptions {
  readonly width: number;
  readonly language: string;
  /** `auto`: by the first letter. */
  readonly direction: 'ltr' | 'rtl' | 'auto';
  readonly widthOf: (run: TextRun) => number;
}

/** Controls for order, which is computed from the letters, and for forms that the fonts lack. */
const controls = /[\p{Bidi_Control}\p{Variation_Selector}\u200b\u2060\ufeff]/gu;
const codePoints = (grapheme: string) =>
  [...grapheme]
    .map((one) => `[U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
    .join('');

const segmenters = new Map<string, Intl.Segmenter>();

/** Segments by the language's rules, or by English ones if the tag is malformed. */
function segmenter(language: string, granularity: 'word' | 'grapheme'): Intl.Segmenter {
  const known = segmenters.get(`${language} ${granularity}`);
  if (known !== undefined) return known;
  const isKnown = /^[A-Za-z]{2,3}(-[A-Za-z\d]{2,8})*$/.test(language);
  const made = new Intl.Segmenter(isKnown ? language : 'en', { granularity });
  segmenters.set(`${language} ${granularity}`, made);
  return made;
}

/** Composed, since fonts may have a letter and its accent as one glyph. */
const shownText = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(controls, '')
    .replaceAll(/\p{Cc}/gu, ' ');

function charactersOf(spans: readonly FormTextSpan[], { language, direction }: LineOptions): Character[] {
  const graphemes = segmenter(language, 'grapheme');
  const found: { text: string; font: DocumentFont }[] = [];
  for (const { text, bold } of spans) {
    for (const { segment } of graphemes.segment(shownText(text))) {
      const font = fontFor(segment, bold, bold ? undefined : found.at(-1)?.font);
      if (font !== undefined) found.push({ text: segment, font });
      // No font has it: its code point says more than an empty box.
      else
        for (const one of codePoints(segment)) {
          const latin = fontFor(one, bold);
          if (latin !== undefined) found.push({ text: one, font: latin });
        }
    }
  }
  const { levels } = bidi.getEmbeddingLevels(found.map(({ text }) => text).join(''), direction);
  let at = 0;
  return found.map((one) => {
    const level = levels[at] ?? 0;
    at += one.text.length;
    return { ...one, level };
  });
}

const isSpace = ({ text }: Character) => /^\s+$/u.test(text);
/** A letter that is read from right to left. */
export const strongRightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const arabicDigits = /[\u0660-\u0669\u06f0-\u06f9]/;

/** A run as fontkit expects it: fontkit reverses Arabic and Hebrew, with digits, but not neutral text. */
function drawn(characters: readonly Character[]): string {
  const isTurned = (characters[0]?.level ?? 0) % 2 === 1;
  const text = characters.map((one) => one.text).join('');
  if (isTurned ? strongRightToLeft.test(text) : !arabicDigits.test(text)) return text;
  if (!isTurned)
    return characters
      .toReversed()
      .map((one) => one.text)
      .join('');
  return characters
    .toReversed()
    .map((one) => bidi.getMirroredCharacter(one.text) ?? one.text)
    .join('');
}

/** Rule L2 of the Unicode bidirectional algorithm, on runs. */
function inVisualOrder(runs: readonly (readonly Character[])[]): readonly (readonly Character[])[] {
  const levelOf = (run: readonly Character[]) => run[0]?.level ?? 0;
  let ordered = [...runs];
  for (let level = Math.max(0, ...runs.map(levelOf)); level > 0; level -= 1) {
    const next: (readonly Character[])[] = [];
    for (let start = 0; start < ordered.length; ) {
      let end = start;
      while (end < ordered.length && levelOf(ordered[end] ?? []) >= level) end += 1;
      if (end === start) end += 1;
      const slice = ordered.slice(start, end);
      next.push(...(slice.length > 1 ? slice.toReversed() : slice));
      start = end;
    }
    ordered = next;
  }
  return ordered;
}

function lineOf(characters: readonly Character[]): TextLine {
  const end = characters.findLastIndex((one) => !isSpace(one)) + 1;
  const runs: Character[][] = [];
  for (const one of characters.slice(0, end)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isMirrored = (each: Character) =>
      each.level % 2 === 1 && bidi.getMirroredCharacter(each.text) !== null;
    if (last && last.font === one.font && last.level === one.level && !isMirrored(last) && !isMirrored(one))
      run?.push(one);
    else runs.push([one]);
  }
  return inVisualOrder(runs).flatMap((run) => (run[0] ? [{ text: drawn(run), font: run[0].font }] : []));
}

/** Splits text where a line may break; each piece stays on one line. */
function wordsOf(characters: readonly Character[], language: string): Character[][] {
  const text = characters.map((one) => one.text).join('');
  const breaks = new Set<number>();
  let last: Intl.SegmentData | undefined;
  for (const segment of segmenter(language, 'word').segment(text)) {
    const isAfterSpace = last !== undefined && /[\s/\u3000-\u303f\uff00-\uff0f-]$/u.test(last.segment);
    if (isAfterSpace || (last?.isWordLike && segment.isWordLike)) breaks.add(segment.index);
    last = segment;
  }
  const words: Character[][] = [];
  let at = 0;
  for (const one of characters) {
    if (words.length === 0 || breaks.has(at)) words.push([]);
    words.at(-1)?.push(one);
    at += one.text.length;
  }
  return words;
}

/**
 * Breaks text into lines at words, and within words that are longer than a line. Each character gets a font that has
 * it; runs are in visual order, from left to right.
 */
export function textLines(spans: readonly FormTextSpan[], options: LineOptions): TextLine[] {
  const [first = [], ...more] = splitAtLineFeeds(spans);
  return [first, ...more].flatMap((line) => {
    const characters = charactersOf(line, options);
    const inkOf = (some: readonly Character[]) =>
      lineOf(some).reduce((width, run) => width + options.widthOf(run), 0);
    const lines: Character[][] = [[]];
    let taken = 0;
    const add = (some: readonly Character[], ink: number) => {
      const isFull = taken > 0 && taken + ink > options.width;
      if (isFull) lines.push([]);
      lines.at(-1)?.push(...some);
      const spaces = some.filter(isSpace);
      const gaps = spaces.reduce((width, { font }) => width + options.widthOf({ text: ' ', font }), 0);
      taken = (isFull ? 0 : taken) + ink + (some.length > spaces.length ? gaps : 0);
    };
    // Word by word, each measured once: a document may have ten thousand of them.
    for (const word of wordsOf(characters, options.language)) {
      const ink = inkOf(word);
      if (ink <= options.width) add(word, ink);
      else for (const one of word) add([one], inkOf([one]));
    }
    return lines.filter((some, index) => index === 0 || some.length > 0).map(lineOf);
  });
}

function splitAtLineFeeds(spans: readonly FormTextSpan[]): FormTextSpan[][] {
  const lines: FormTextSpan[][] = [[]];
  for (const { text, bold } of spans)
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push({ text: part, bold });
    }
  return lines;
}

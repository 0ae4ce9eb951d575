import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { FormTextSpan } from '@waiver-service/forms';
import type { Bidi } from 'bidi-js';
import { create, type Font } from 'fontkit';

/**
 * Unpacks the font in a WOFF file, whose tables are compressed one by one. fontkit reads WOFF, too, but inflates a
 * table for each glyph that it reads.
 *
 * @throws RangeError for a truncated file
 */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const at = 44 + index * 20;
    const [offset, packedLength, length] = [4, 8, 12].map((member) => woff.readUInt32BE(at + member));
    const packed = woff.subarray(offset, (offset ?? 0) + (packedLength ?? 0));
    const bytes = packedLength === length ? packed : inflateSync(packed);
    return { tag: woff.subarray(at, at + 4), checksum: woff.readUInt32BE(at + 16), bytes };
  });
  const power = Math.floor(Math.log2(count));
  const header = Buffer.alloc(12 + count * 16);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  header.writeUInt16BE(2 ** power * 16, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE(count * 16 - 2 ** power * 16, 10);
  let offset = header.length;
  const padded = tables.map(({ tag, checksum, bytes }, index) => {
    const at = 12 + index * 16;
    tag.copy(header, at);
    header.writeUInt32BE(checksum, at + 4);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(bytes.length, at + 12);
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    offset += bytes.length + padding.length;
    return Buffer.concat([bytes, padding]);
  });
  return Buffer.concat([header, ...padded]);
}

const require = createRequire(import.meta.url);

/** Drawn on a coarse grid, but it has the characters of every script, Chinese, Japanese and Korean among them. */
const lastResort = require.resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff');

/** In the order in which they are tried. */
function filesOf(
  weight: '400' | '700',
  name: 'Regular' | 'Bold',
): readonly [latin: string, ...others: string[]] {
  const notoSans = (script: string) => {
    const folder = script === '' ? 'noto-sans' : `noto-sans-${script.toLowerCase()}`;
    return require.resolve(
      `@expo-google-fonts/${folder}/${weight}${name}/NotoSans${script}_${weight}${name}.ttf`,
    );
  };
  return [
    // Greek, Cyrillic and Devanagari, too.
    notoSans(''),
    // Noto Sans Arabic draws a letter's shape and dots separately: searching and copying would lose the dots.
    join(dirname(require.resolve('@embedpdf/fonts-arabic')), `../fonts/NotoNaskhArabic-${name}.ttf`),
    notoSans('Hebrew'),
    notoSans('Thai'),
    lastResort,
  ];
}

const regular = filesOf('400', 'Regular');
const bold = filesOf('700', 'Bold');

interface DocumentFont {
  readonly file: string;
  readonly font: Font;
  readonly characters: ReadonlySet<number>;
}

const opened = new Map<string, DocumentFont>();

function openFont(file: string): DocumentFont {
  const known = opened.get(file);
  if (known !== undefined) return known;
  const bytes = readFileSync(file);
  const font = create(file === lastResort ? unpackWoff(bytes) : bytes);
  if (!('characterSet' in font)) throw new TypeError(`${file} is a collection of fonts`);
  if (file === regular[0] || file === bold[0]) {
    const layout = font.layout.bind(font);
    // Without the feature that draws ị as i and a dot: it would be copied as i.
    font.layout = (text) => layout(text, { ccmp: false });
  }
  const result = { file, font, characters: new Set(font.characterSet) };
  opened.set(file, result);
  return result;
}

const ignorable = /^[\u200c\u200d]$/;

/**
 * The font of a character with its marks: the previous one if it has them all (unless it is the last resort), otherwise
 * the first that does; undefined if none does.
 */
function fontFor(grapheme: string, isBold: boolean, former?: DocumentFont): DocumentFont | undefined {
  const points = [...grapheme]
    .filter((one) => !ignorable.test(one))
    .flatMap((one) => one.codePointAt(0) ?? []);
  const hasAll = ({ characters }: DocumentFont) => points.every((point) => characters.has(point));
  if (former !== undefined && former.file !== lastResort && hasAll(former)) return former;
  for (const file of isBold ? bold : regular) {
    const font = openFont(file);
    if (hasAll(font)) return font;
  }
  return undefined;
}

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

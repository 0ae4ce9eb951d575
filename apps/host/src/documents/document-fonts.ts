import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';
import { unpackWoff } from './unpack-woff.ts';

const require = createRequire(import.meta.url);

const notoSans = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
  'devanagari',
];
/** Drawn on a coarse grid, but it has the characters of every script, Chinese, Japanese and Korean among them. */
const lastResort = '@fontsource/unifontex/files/unifontex-latin-400-normal.woff';

const filesOf = (weight: 400 | 700) => [
  ...notoSans.map((subset) => `@fontsource/noto-sans/files/noto-sans-${subset}-${weight}-normal.woff`),
  ...['arabic', 'hebrew', 'thai'].map(
    (script) => `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-${weight}-normal.woff`,
  ),
  lastResort,
];

export interface DocumentFont {
  readonly file: string;
  readonly bytes: Buffer;
  readonly characters: ReadonlySet<number>;
}

const opened = new Map<string, DocumentFont>();

/** Kept, because reading a font takes up to half a second. */
function openFont(file: string): DocumentFont {
  const known = opened.get(file);
  if (known !== undefined) return known;
  const bytes = unpackWoff(readFileSync(require.resolve(file)));
  const font = create(bytes);
  if (!('characterSet' in font)) throw new TypeError(`${file} is a collection of fonts`);
  const result = { file, bytes, characters: new Set(font.characterSet) };
  opened.set(file, result);
  return result;
}

const ignorable = /^(?:\u200c|\u200d|[\ufe00-\ufe0f])$/;

/**
 * The font of a character with its marks: the former one if it can, else the first that has all of them; undefined:
 * none has.
 */
export function fontFor(grapheme: string, isBold: boolean, former?: DocumentFont): DocumentFont | undefined {
  const points = [...grapheme]
    .filter((one) => !ignorable.test(one))
    .flatMap((one) => one.codePointAt(0) ?? []);
  const hasAll = ({ characters }: DocumentFont) => points.every((point) => characters.has(point));
  if (former !== undefined && former.file !== lastResort && hasAll(former)) return former;
  for (const file of filesOf(isBold ? 700 : 400)) {
    const font = openFont(file);
    if (hasAll(font)) return font;
  }
  return undefined;
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
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

export interface DocumentFont {
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
export function fontFor(grapheme: string, isBold: boolean, former?: DocumentFont): DocumentFont | undefined {
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

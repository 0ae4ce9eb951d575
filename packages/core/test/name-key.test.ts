import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { isInvisibleText, nameKey } from '../src/index.ts';

it.each([
  ['two spaces', 'Anna  Smith', 'Anna Smith'],
  ['a no-break space', 'Anna\u00a0Smith', 'Anna Smith'],
  ['a thin space, an ideographic space', 'Anna\u2009Smith', 'Anna\u3000Smith'],
  ['a line break and a tab', 'Anna\nSmith', '\tAnna Smith '],
  ['apostrophes', 'O’Neil', "O'Neil"],
  ['a modifier apostrophe', 'O\u02bcNeil', 'O`Neil'],
  ['ß', 'STRASSER GROß', 'Strasser Gross'],
  ['capital ẞ', 'GROẞ', 'Groß'],
  ['dotted capital I', 'İPEK', 'ipek'],
  ['dotless i', 'Yıldız', 'YILDIZ'],
  ['accents', 'Zoë Bäcker', 'zoe backer'],
  ['composed and decomposed', 'Jose\u0301', 'José'],
  ['letters that do not decompose', 'Łukasz Sørensen', 'lukasz sorensen'],
  ['dashes', 'Jean\u2011Luc', 'Jean-Luc'],
  ['a dash and a space', 'Jean–Luc', 'Jean Luc'],
  ['invisible characters', 'An\u200bna\u00ad Smith\ufe0f', 'Anna Smith'],
  ['directional marks', '\u202eAnna\u202c', 'Anna'],
  ['a Hangul filler', 'Anna\u3164', 'Anna'],
  ['an object that was lost', 'Anna\ufffc Smith', 'Anna Smith'],
  ['full width', 'Ａｎｎａ', 'anna'],
  ['a ligature', 'ﬁona', 'Fiona'],
  ['final sigma', 'ΓΙΩΡΓΟΣ', 'Γιώργος'],
  ['Arabic vowels', 'مُحَمَّد', 'محمد'],
])('takes names that differ by %s for the same', (_, one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
  expect(nameKey(one)).not.toBe('');
});

it.each([
  ['Ann Lee', 'Anna Lee'],
  ['Ann Lee', 'Lee Ann'],
  ['李明', '李名'],
  ['かな', 'がな'],
  ['김민수', '김민주'],
  ['पता', 'पिता'],
  ['محمد', 'محمود'],
  ['สมชาย', 'สมหญิง'],
  ['Guest 1', 'Guest 2'],
])('takes %s and %s for different names', (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other));
});

it.each([undefined, null, '', ' ', '\u200b', '\u3164', '???'])('has no key for %j', (name) => {
  expect(nameKey(name)).toBe('');
});

test('the key of a key is the key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (name) => {
      expect(nameKey(nameKey(name))).toBe(nameKey(name));
    }),
    { numRuns: 500 },
  );
});

test('case, spaces around it and its normalization form do not change a key', () => {
  const form = fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), form, (name, to) => {
      expect(nameKey(` ${name.normalize(to)}\u00a0`)).toBe(nameKey(name));
      // Not every letter has a capital of its own: only those of the search.
      const latin = name.replace(/[^\p{Script=Latin} ]/gu, '').replace(/[\u0180-\u1dff\u2c00-\uffff]/gu, '');
      expect(nameKey(latin.toUpperCase())).toBe(nameKey(latin));
    }),
    { numRuns: 300 },
  );
});

it.each([
  ['\u3164', true],
  [' \u200b\u00ad\n', true],
  ['\u2800', true],
  ['\u{1d159}', true],
  ['\ufffc', true],
  ['?', false],
  ['李', false],
])('says whether %j shows nothing', (text, expected) => {
  expect(isInvisibleText(text)).toBe(expected);
});

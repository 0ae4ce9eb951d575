import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadKioskWords } from '../src/kiosk/text/words.ts';
import { formatStart, formatTime } from '../src/text/formats.ts';
import { directionOf, loadWords, pageLanguages, pickLanguage } from '../src/text/words.ts';

/** Every text with its place. */
function textsOf(words: object, place: string): [place: string, text: string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const here = place === '' ? key : `${place}.${key}`;
    return typeof value === 'string' ? [[here, value]] : textsOf(value, here);
  });
}

const loadAll = async (languages: readonly string[]) => ({
  ...(await loadWords(languages)),
  kiosk: await loadKioskWords(languages),
});

/** The places of the texts, with the placeholders that each has. */
const placesOf = async (language: string) =>
  textsOf(await loadAll([language]), '').map(([place, text]) => [
    place,
    ...(text.match(/\{\w+\}/g) ?? []).toSorted(),
  ]);

describe.each(pageLanguages)('the page in “%s”', (language) => {
  test('lacks no text, and no number or name in one', async () => {
    expect(await placesOf(language)).toEqual(await placesOf('en'));
    const texts = textsOf(await loadAll([language]), '');
    expect(texts.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test.skipIf(language === 'en')('has hardly a text that is the English one', async () => {
    const english = new Map(textsOf(await loadAll(['en']), ''));
    const same = textsOf(await loadAll([language]), '').filter(
      ([place, text]) => english.get(place) === text,
    );
    // “No” and “Signature of …” are the same in some.
    expect(same.length).toBeLessThan(4);
  });
});

test('someone whose language the page does not have reads it in English', async () => {
  expect(await loadWords(['x-klingon'])).toBe(await loadWords(['en']));
});

test.each([
  [['de-AT', 'en'], ['en', 'de'], 'de'],
  [['en-US@posix'], ['de', 'en'], 'en'],
  [['pt-PT'], ['en', 'pt-BR', 'pt-PT'], 'pt-PT'],
  [['pt-AO'], ['en', 'pt-BR', 'pt-PT'], 'pt-BR'],
  [['ZH-hant-TW'], ['en', 'zh-Hans'], 'zh-Hans'],
  [['x-klingon'], ['de', 'en'], 'de'],
  [['C'], ['de', 'en'], 'de'],
  [[''], ['de', 'en'], 'de'],
  [[], ['de', 'en'], 'de'],
] as const)('a browser that says %j, offered %j, gets “%s”', (wanted, offered, expected) => {
  const [first, ...others] = offered;
  expect(pickLanguage<string>(wanted, [first, ...others])).toBe(expected);
});

test('Arabic and Hebrew are written from right to left', () => {
  expect(['ar-EG', 'he', 'de', 'x-klingon'].map(directionOf)).toEqual(['rtl', 'rtl', 'ltr', 'ltr']);
});

afterEach(() => vi.unstubAllGlobals());

/** A browser with a language, possibly of a country. */
const inBrowserOf = (language: string) => vi.stubGlobal('navigator', { languages: [language], language });

// Some versions of `Intl` write U+202F before AM.
const plain = (text: string) => text.replace(/\p{Zs}/gu, ' ');

test.each([
  ['en-US', 'en', '7:30 AM', '7:30 PM'],
  ['en', 'en', '7:30 AM', '7:30 PM'],
  ['en-AU', 'en', '7:30 am', '7:30 pm'],
  ['en-GB', 'en', '07:30', '19:30'],
  ['de-AT', 'de', '07:30', '19:30'],
  ['fr-FR', 'fr', '07:30', '19:30'],
  ['es-ES', 'es', '07:30', '19:30'],
  ['cs-CZ', 'cs', '07:30', '19:30'],
  ['ar-EG', 'ar', '7:30 ص', '7:30 م'],
  // A page in another language than the browser's.
  ['de-DE', 'en', '7:30 AM', '7:30 PM'],
  ['en-US', 'de', '07:30', '19:30'],
])('a browser in %s, a page in %s: %s and %s', (browser, language, morning, evening) => {
  inBrowserOf(browser);
  const times = [
    ['2026-07-01T05:30:00Z', morning],
    ['2026-07-01T17:30:00Z', evening],
  ] as const;
  for (const [at, expected] of times) {
    expect(plain(formatTime(language, at, 'Europe/Berlin'))).toBe(expected);
    const start = plain(formatStart(language, at, 'Europe/Berlin'));
    expect(start).toContain(expected);
    expect(start).not.toContain(`0${expected}`);
  }
});

import { describe, expect, test } from 'vitest';
import { loadKioskWords } from '../src/kiosk/text/words.ts';
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

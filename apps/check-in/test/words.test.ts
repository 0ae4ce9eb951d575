import { describe, expect, test } from 'vitest';
import { loadKioskWords } from '../src/kiosk/text/words.ts';
import { loadWords, pageLanguages } from '../src/text/words.ts';

/** Every text with its place; those with numbers and names in them are filled in with something to find. */
function textsOf(words: object, place: string): [place: string, text: string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const here = place === '' ? key : `${place}.${key}`;
    if (typeof value === 'string') return [[here, value]];
    if (typeof value !== 'function') return textsOf(value, here);
    const given = ['«1»', '«2»'].slice(0, value.length);
    const text = String(value(...given));
    expect([here, given.filter((one) => !text.includes(one))]).toEqual([here, []]);
    return [[here, text]];
  });
}

const loadAll = async (languages: readonly string[]) => ({
  ...(await loadWords(languages)),
  kiosk: await loadKioskWords(languages),
});

const placesOf = async (language: string) => textsOf(await loadAll([language]), '').map(([place]) => place);

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

import { expect, test } from 'vitest';
import { directionOf, pickLanguage } from '../src/text/words.ts';

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

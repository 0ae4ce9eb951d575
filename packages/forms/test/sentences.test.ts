import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadSentences } from '../src/index.ts';

const languages = ['ar', 'cs', 'de', 'en', 'es', 'fr'];
const english = await loadSentences('en');
const placeholders = (text: string) => text.match(/\{[^}]*\}/g) ?? [];

test('the languages are those that have a file', () => {
  const files = readdirSync(new URL('../src/sentences', import.meta.url)).filter(
    (file) => file !== 'sentences.ts',
  );
  expect(files.map((file) => file.replace('.json', '')).toSorted()).toEqual(languages);
});

describe.each(languages)('%s', (language) => {
  test('has every sentence, with its number', async () => {
    const sentences = await loadSentences(language);
    expect(Object.keys(sentences)).toEqual(Object.keys(english));
    for (const [name, sentence] of Object.entries(sentences)) {
      expect(sentence.trim(), name).not.toBe('');
      const inEnglish = Object.entries(english).find(([key]) => key === name)?.[1] ?? '';
      expect(placeholders(sentence), name).toEqual(placeholders(inEnglish));
      if (language !== 'en') expect(sentence, name).not.toBe(inEnglish);
    }
  });
});

test('a language tag gets the sentences of its language, an unknown one English', async () => {
  expect(await loadSentences('de-AT')).toBe(await loadSentences('de'));
  expect(await loadSentences('ja')).toBe(english);
  expect(await loadSentences('')).toBe(english);
  expect(await loadSentences('constructor')).toBe(english);
});

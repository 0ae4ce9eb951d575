import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exampleForms, formContentSchema, formProblems, sentenceLanguages } from '../src/index.ts';

const page = readFileSync(new URL('../../../docs/forms.md', import.meta.url), 'utf8');

test('the form in docs/forms.md can be published', () => {
  const [, example = ''] = /```json\n([\s\S]*?)\n```/.exec(page) ?? [];
  const content = formContentSchema.parse(JSON.parse(example));
  expect(formProblems(content)).toEqual([]);
});

test('docs/forms.md names the languages and counts the examples', () => {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  for (const language of sentenceLanguages) expect(page).toContain(names.of(language));
  expect(page).toContain('Twenty forms');
  expect(exampleForms).toHaveLength(20);
});

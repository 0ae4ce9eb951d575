import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exampleForms } from '../src/examples/index.ts';
import { formContentSchema, formProblems } from '../src/index.ts';

const page = readFileSync(new URL('../../../docs/forms.md', import.meta.url), 'utf8');

test('the form in docs/forms.md can be published', () => {
  const [, example = ''] = /```json\n([\s\S]*?)\n```/.exec(page) ?? [];
  const content = formContentSchema.parse(JSON.parse(example));
  expect(formProblems(content)).toEqual([]);
});

test('docs/forms.md names the languages and counts the examples', () => {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const files = readdirSync(new URL('../src/sentences', import.meta.url)).filter(
    (file) => file !== 'sentences.ts',
  );
  for (const file of files) expect(page).toContain(names.of(file.replace('.json', '')));
  expect(page).toContain('Twenty forms');
  expect(exampleForms).toHaveLength(20);
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exampleForms } from '../src/examples/index.ts';
import {
  checkSigning,
  type FormContent,
  formContentSchema,
  formProblems,
  formText,
  loadSentences,
  parseFormText,
  signingSchema,
} from '../src/index.ts';
import { day, signed } from '../src/testing/index.ts';

const adult = '1990-02-28';
const children = ['2015-05-05', '2012-12-31'];
const teenager = '2009-09-09';

/** Birth dates of a family that may take part: a parent first, where adults may. */
function family({ people }: FormContent): string[] {
  const minors = people.minAge !== undefined && people.minAge > 10 ? [teenager, teenager] : children;
  return people.adults ? [adult, ...minors] : minors;
}

test('there is a form for each of twenty trades, rafting first', () => {
  expect(new Set(exampleForms.map(({ trade }) => trade)).size).toBe(20);
  expect(exampleForms[0]?.trade).toBe('rafting');
});

describe.each(exampleForms)('$name', ({ content }) => {
  const { people } = content;

  test('can be published', () => {
    expect(formContentSchema.parse(content)).toEqual(content);
    expect(formProblems(content)).toEqual([]);
  });

  test('leaves it to the page to say that a consent is optional', () => {
    const consents = content.pages.flatMap(({ items }) =>
      items.flatMap((item) => (item.type === 'agree' ? Object.values(item.text) : [])),
    );
    expect(consents.filter((text) => /\(\p{L}+\)\s*$/u.test(text))).toEqual([]);
  });

  test('promises a copy, and no paper: who wants that asks the team', () => {
    const [consent, ...others] = content.pages
      .flatMap(({ items }) => items)
      .filter((item) => item.type === 'agree' && item.act === 'electronic');
    expect(others).toEqual([]);
    const team = { en: 'the team', de: 'das Team', fr: 'l’équipe', es: 'al equipo' };
    for (const language of content.languages) {
      const text = consent?.type === 'agree' ? formText(consent.text, language) : '';
      expect(text).toContain(Object.entries(team).find(([name]) => name === language)?.[1]);
      expect(text).toMatch(/copy|Kopie|copie|copia/);
    }
    expect(JSON.stringify(content)).not.toMatch(/\b(on paper|paper form|auf Papier|papier|papel)\b/i);
  });

  test('shows every text as paragraphs, lists and headings, without markup', () => {
    for (const item of content.pages.flatMap(({ items }) => items)) {
      if (item.type === 'ask') continue;
      for (const language of content.languages) {
        const blocks = parseFormText(formText(item.type === 'sign' ? item.statement : item.text, language));
        expect(blocks.length).toBeGreaterThan(0);
        expect(JSON.stringify(blocks)).not.toMatch(/\*\*|"text":"(#|- )/);
      }
    }
  });

  test.runIf(people.adults).each(content.languages)('is signed by an adult, in %s', async (language) => {
    const signing = signed(content, [adult], { language });
    expect(signingSchema.parse(signing)).toEqual(signing);
    const checked = checkSigning(content, signing, day, await loadSentences(language));
    expect(checked).toMatchObject({
      ok: true,
      result: { waivers: [{ guest: 0, answers: { name: 'Zoë Bäcker', minor: false } }], guardian: null },
    });
  });

  test.runIf(people.minors === 'guardian')('is signed by a parent with two children', async () => {
    const guests = family(content);
    const signing = signed(content, guests, { takesPart: people.adults });
    expect(signingSchema.parse(signing)).toEqual(signing);
    const checked = checkSigning(content, signing, day, await loadSentences('en'));
    expect(checked).toMatchObject({ ok: true, result: { guardian: { relationship: 'mother' } } });
    const waivers = checked.ok ? checked.result.waivers : [];
    expect(waivers).toHaveLength(guests.length);
    expect(waivers.filter(({ answers }) => answers.minor).map(({ answers }) => answers.guardianName)).toEqual(
      people.adults ? ['Zoë Bäcker', 'Zoë Bäcker'] : ['Ann Bäcker', 'Ann Bäcker'],
    );
  });

  test('tells a guest everything that is missing', async () => {
    const nothing = { ...signed(content, [adult]), acts: [], guests: [{ answers: {} }] };
    const checked = checkSigning(content, nothing, day, await loadSentences('en'));
    const missing = checked.ok ? [] : checked.problems.map(({ item }) => item);
    expect(missing).toEqual(expect.arrayContaining(['name', 'electronic', 'privacy']));
  });
});

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

import { type FormContent, formContentSchema, formProblems } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { describe, expect, test } from 'vitest';
import {
  emptyContent,
  isEditable,
  itemsOf,
  moveItem,
  renameItem,
  withKind,
  withoutLanguage,
  withText,
} from '../src/pages/signing/edit-content.ts';
import { placeProblems, problemText } from '../src/pages/signing/editing.tsx';
import { formChanges } from '../src/pages/signing/versions-page.tsx';

const content = exampleForms[0]?.content ?? emptyContent();
const idsOf = ({ pages }: FormContent) => pages.map(({ items }) => items.map(({ id }) => id));
const sentences = (form: FormContent) => placeProblems(formProblems(form), form).map(problemText);

describe('a form is edited', () => {
  test('an item moves within its page, and from its edge to the page beside', () => {
    const [[first = '', second = ''] = [], below = []] = idsOf(content);
    expect(idsOf(moveItem(content, 0, 0, 1))[0]?.slice(0, 2)).toEqual([second, first]);
    expect(idsOf(moveItem(content, 1, 0, -1))[0]?.at(-1)).toBe(below[0]);
    const last = (content.pages[0]?.items.length ?? 0) - 1;
    expect(idsOf(moveItem(content, 0, last, 1))[1]?.[0]).toBe(idsOf(content)[0]?.[last]);
    expect(moveItem(content, 0, 0, -1)).toEqual(content);
  });

  test('an id is changed with the conditions that look at it', () => {
    const renamed = renameItem(content, 'swimming', 'swims');
    expect(JSON.stringify(renamed)).not.toContain('"swimming"');
    expect(JSON.stringify(renamed)).toContain('"when":{"answer":"swims","in":["not"]}');
    expect(formProblems(renamed)).toEqual([]);
  });

  test('a language is removed with all of its texts', () => {
    const english = withoutLanguage({ ...content, binding: 'de' }, 'de');
    expect(JSON.stringify(english)).not.toContain('"de"');
    expect(formProblems(english)).toEqual([]);
  });

  test('a text that is emptied is missing, which is a problem beside its item', () => {
    expect(withText({ en: 'Yes', de: 'Ja' }, 'de', '')).toEqual({ en: 'Yes' });
    const [page, ...others] = content.pages;
    const [item, ...items] = page?.items ?? [];
    if (page === undefined || item?.type !== 'ask') throw new Error('the form begins with no question');
    const label = withText(item.label, 'de', '');
    const emptied = { ...content, pages: [{ ...page, items: [{ ...item, label }, ...items] }, ...others] };
    expect(formContentSchema.safeParse(emptied).success).toBe(true);
    expect(placeProblems(formProblems(emptied), emptied)).toMatchObject([{ page: page.id, item: item.id }]);
    expect(sentences(emptied)).toEqual(['Question is missing in the language de.']);
  });

  test('a question of another kind keeps nothing that has no meaning for it', () => {
    const question = content.pages.flatMap(({ items }) => items).find(({ id }) => id === 'swimming');
    if (question?.type !== 'ask') throw new Error('there is no such question');
    expect(withKind(question, 'date')).not.toHaveProperty('options');
    expect(withKind(question, 'choices')).toMatchObject({ kind: 'choices', options: question.options });
    expect(withKind(withKind(question, 'date'), 'choice').options).toHaveLength(2);
  });

  test('what is added is of the shape of a form, and lacks only texts', () => {
    const blocks = ['question', 'text', 'agree', 'sign', 'name', 'emergency', 'address'] as const;
    const form = emptyContent();
    const items = blocks.flatMap((block) => itemsOf(block, form));
    const pages = form.pages.map((page) => ({ ...page, items }));
    expect(formContentSchema.safeParse({ ...form, pages }).success).toBe(true);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });
});

test('every template can be edited, and what is no form cannot', () => {
  for (const { content: template } of exampleForms) expect(isEditable(template)).toBe(true);
  expect(isEditable(emptyContent())).toBe(true);
  const [page] = content.pages;
  for (const other of [
    null,
    { languages: 7 },
    { ...content, pages: [{ ...page, items: [{ type: 'video', id: 'v' }] }] },
    { ...content, pages: [{ ...page, title: { en: 7 } }] },
    { ...content, pages: [{ ...page, when: { all: 'yes' } }] },
  ]) {
    expect(isEditable(other)).toBe(false);
  }
});

test('problems of the whole form say what it lacks', () => {
  expect(sentences(emptyContent())).toEqual(
    expect.arrayContaining([
      'Title is missing in the language en.',
      'The pages lack a signature of guests, who may sign this form.',
    ]),
  );
});

describe('two versions', () => {
  const [first, second, ...others] = content.pages;
  if (first === undefined || second === undefined) throw new Error('the form has fewer than two pages');

  test('differ in nothing, if they are the same', () => {
    expect(formChanges(content, structuredClone(content))).toEqual([]);
  });

  test('say what was added, removed and worded otherwise, and what kept its place', () => {
    const [item, gone, ...items] = first.items;
    const [added] = itemsOf('text', content);
    if (item?.type !== 'ask' || gone === undefined || added === undefined) throw new Error('no such items');
    const reworded = { ...item, label: { ...item.label, en: 'Your name' } };
    const next = {
      ...content,
      validity: { days: 30 },
      pages: [
        { ...first, items: [reworded, { ...added, text: { en: 'Hello' } }, ...items] },
        second,
        ...others,
      ],
    };
    expect(formChanges(content, next)).toMatchObject([
      { kind: 'settings', change: 'changed' },
      {
        kind: 'item',
        id: item.id,
        change: 'changed',
        fields: [{ field: 'label.en', former: item.label.en, next: 'Your name' }],
      },
      { kind: 'item', id: added.id, change: 'added' },
      { kind: 'item', id: gone.id, change: 'removed' },
    ]);
  });

  test('say what was moved', () => {
    const [item, ...items] = first.items;
    if (item === undefined) throw new Error('no such item');
    const within = { ...content, pages: [{ ...first, items: [...items, item] }, second, ...others] };
    expect(formChanges(content, within)).toMatchObject([{ kind: 'page', id: first.id, change: 'moved' }]);
    const beside = { ...second, items: [item, ...second.items] };
    const between = { ...content, pages: [{ ...first, items }, beside, ...others] };
    expect(formChanges(content, between)).toMatchObject([{ kind: 'item', id: item.id, change: 'moved' }]);
    const pages = { ...content, pages: [second, first, ...others] };
    expect(formChanges(content, pages)).toMatchObject([{ kind: 'settings', change: 'moved' }]);
  });
});

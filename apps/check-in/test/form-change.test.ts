import type { FormContent, Item } from '@waiver-service/forms';
import { expect, test } from 'vitest';
import { changedItems, forNewVersion } from '../src/draft/form-change.ts';
import { exampleContent, family, published } from './drafts.ts';

const rafting = exampleContent('rafting');
const withItems = (change: (items: readonly Item[]) => readonly Item[]): FormContent => ({
  ...rafting,
  pages: rafting.pages.map((page) => ({ ...page, items: change(page.items) })),
});
const reworded = withItems((items) =>
  items.map((item) =>
    item.id === 'privacy' && item.type === 'agree' ? { ...item, text: { en: 'New', de: 'Neu' } } : item,
  ),
);
const summary = (former: FormContent, current: FormContent) =>
  changedItems(former, current, 'en').map(({ change, item }) => `${change} ${item.id}`);

test('a guest is told what is new, worded differently and no longer asked, and nothing else', () => {
  const weight = rafting.pages.flatMap(({ items }) => items).find(({ id }) => id === 'weight');
  const without = withItems((items) => items.filter(({ id }) => id !== 'weight'));
  expect(weight).toBeDefined();
  expect(summary(rafting, rafting)).toEqual([]);
  expect(summary(rafting, reworded)).toEqual(['reworded privacy']);
  expect(summary(rafting, without)).toEqual(['removed weight']);
  expect(summary(without, rafting)).toEqual(['added weight']);
});

test('a newer version keeps answers and the consents to what is worded as before, and wants to be signed', () => {
  const { draft } = family();
  const next = forNewVersion(draft, published(reworded, 2));
  const items = (acts: typeof draft.acts) => acts.map(({ item }) => item);
  expect(next).toMatchObject({ form: { version: 2 }, self: draft.self, children: draft.children });
  expect(items(next.acts)).toContain('electronic');
  expect(items(next.acts)).toContain('risks');
  expect(items(next.acts)).not.toContain('privacy');
  expect(next.acts.filter(({ act }) => act === 'sign')).toEqual([]);
});

test('a newer version that lacks the guest’s language is read in its first', () => {
  const { draft } = family();
  const german = { ...draft, language: 'de' };
  const next = forNewVersion(german, published({ ...rafting, languages: ['en'] }, 2));
  expect(next).toMatchObject({ language: 'en', acts: [] });
});

import { loadSentences, parseFormText } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { describe, expect, test } from 'vitest';
import { type Draft, withAnswer } from '../src/draft/draft.ts';

import { newDraft } from '../src/draft/people.ts';
import { finishedPage, groupsOf, pageItems, stepProblems, stepsOf } from '../src/steps/steps.ts';
import { exampleContent, family, sessionOf } from './drafts.ts';

const sentences = await loadSentences('en');
const idsOf = (draft: Draft, session = sessionOf(draft.form.content)) =>
  stepsOf(draft, session).map(({ id }) => id);
const { session, draft: filled } = family();

describe.each(exampleForms.map((form) => [form.trade, form] as const))(
  'the example for %s',
  (_, { content }) => {
    test('takes an adult seven screens at most before the last one', () => {
      const ids = idsOf(newDraft(sessionOf(content), ['en'], new Date()));
      expect(ids.length).toBeLessThanOrEqual(7);
      expect(ids[0]).toBe('who');
    });
  },
);

test('nothing is missing of a family that filled in everything, and each thing that is taken away is missed', () => {
  const steps = stepsOf(filled, session);
  const missing = (draft: Draft) =>
    steps.flatMap((step) =>
      stepProblems(step, draft, session, sentences).map((one) => `${step.id} ${one.field}`),
    );
  expect(missing(filled)).toEqual([]);
  expect(missing(withAnswer(filled, 0, 'name', undefined))).toEqual(['who guests[0].answers.name']);
  expect(missing(withAnswer(filled, 2, 'name', '  '))).toEqual(['children guests[2].answers.name']);
  expect(missing(withAnswer(filled, 2, 'swimming', undefined))).toEqual([
    'page-water guests[2].answers.swimming',
  ]);
  expect(missing({ ...filled, guardian: {} })).toEqual(['who signer.guardian.relationship']);
  const adult = withAnswer(filled, 1, 'dateOfBirth', '1990-01-01');
  expect(missing(adult)).toContain('children guests[1].answers.dateOfBirth');
});

test('someone of a group says which of its guests they are, or that they are none of them', () => {
  const group = { ...session, guests: [{ bookingGuestId: 'G-1', label: 'Zoë B.', signed: false }] };
  const problems = (draft: Draft) => {
    const [who] = stepsOf(draft, group);
    return who === undefined ? [] : stepProblems(who, draft, group, sentences).map(({ field }) => field);
  };
  const as = (bookingGuestId: string | null): Draft => ({
    ...filled,
    self: { ...filled.self, bookingGuestId },
  });
  expect(problems(filled)).toEqual(['guests[0].bookingGuestId']);
  expect(problems(as('G-1'))).toEqual([]);
  expect(problems(as(null))).toEqual([]);
});

test('a screen that has nothing to ask is left out', () => {
  const adult = newDraft(session, ['en'], new Date());
  expect(idsOf(filled)).toEqual([
    'who',
    'children',
    'page-water',
    'page-risks',
    'page-agree',
    'page-signature',
    'check',
  ]);
  expect(idsOf(adult)).not.toContain('children');
  const content = {
    ...exampleContent('rafting'),
    pages: exampleContent('rafting').pages.map((page) =>
      page.id === 'risks' ? { ...page, when: { activity: ['canyoning'] } } : page,
    ),
  };
  expect(idsOf(newDraft(sessionOf(content), ['en'], new Date()))).not.toContain('page-risks');
});

test('questions to each of a family follow each other guest by guest, and what is asked once stands once', () => {
  const water = session.form.content.pages.find(({ id }) => id === 'water');
  const items = water === undefined ? [] : pageItems(filled, session, water);
  expect(groupsOf(items).map(({ guest, items: all }) => [guest, all.map(({ item }) => item.id)])).toEqual([
    [0, ['swimming', 'weight']],
    [1, ['swimming', 'weight']],
    [2, ['swimming', 'weight']],
    [null, ['health']],
    [0, ['condition']],
    [1, ['condition']],
    [2, ['condition']],
  ]);
});

test('the page about people is finished with the screens that ask it', () => {
  const [who, children, water, risks] = stepsOf(filled, session);
  if (who === undefined || children === undefined || water === undefined) throw new Error('no steps');
  expect(finishedPage(who, children, filled)).toBeUndefined();
  expect(finishedPage(children, water, filled)).toBe('you');
  expect(finishedPage(water, risks, filled)).toBe('water');
});

test('texts of the examples are read as headings, lists and paragraphs', () => {
  const [, , risks] = exampleContent('rafting').pages;
  const [text] = risks?.items ?? [];
  const blocks = text?.type === 'text' ? parseFormText(text.text.en ?? '') : [];
  expect(blocks.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'list', 'paragraph']);
});

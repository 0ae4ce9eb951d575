import { describe, expect, test } from 'vitest';
import { compareForms } from '../src/index.ts';
import { choice, families, formWith, page, read } from './small-form.ts';

const former = formWith([choice('size', ['s', 'm']), read('rules')]);

describe('two versions of a form', () => {
  test('are the same', () => {
    expect(compareForms(former, formWith([choice('size', ['s', 'm']), read('rules')]))).toEqual([]);
  });

  test('differ in a text, a rule, an option and a condition', () => {
    const size = choice('size', ['s', 'm', 'l']);
    const when = { answer: 'size', in: ['s'] };
    const rules = read('rules', { text: { en: 'Other rules' }, when });
    const changes = compareForms(former, formWith([size, rules], { people: { ...families, minAge: 6 } }));
    expect(changes).toHaveLength(5);
    expect(changes).toEqual(
      expect.arrayContaining([
        { path: 'people.minAge', former: undefined, next: 6 },
        { path: 'items.size.order', former: ['s', 'm'], next: ['s', 'm', 'l'] },
        { path: 'items.size.options.l.label.en', former: undefined, next: 'l' },
        { path: 'items.rules.text.en', former: 'Text rules', next: 'Other rules' },
        { path: 'items.rules.when', former: undefined, next: when },
      ]),
    );
  });

  test('differ only in their order, if something was moved', () => {
    const changes = compareForms(former, formWith([read('rules'), choice('size', ['m', 's'])]));
    expect(changes).toHaveLength(2);
    expect(changes).toEqual(
      expect.arrayContaining([
        { path: 'items.size.order', former: ['s', 'm'], next: ['m', 's'] },
        {
          path: 'pages.you.items',
          former: ['name', 'born', 'size', 'rules'],
          next: ['name', 'born', 'rules', 'size'],
        },
      ]),
    );
  });

  test('differ in what one lacks', () => {
    const pages = former.pages.slice(0, 1);
    const changes = compareForms({ ...former, pages }, former);
    expect(changes).toEqual(
      expect.arrayContaining([
        { path: 'order', former: ['you'], next: ['you', 'end'] },
        { path: 'pages.end.title.en', former: undefined, next: 'Page end' },
        { path: 'items.electronic.act', former: undefined, next: 'electronic' },
      ]),
    );
    const shorter = compareForms(former, { ...former, pages: [page('you', [])] });
    expect(shorter).toEqual(
      expect.arrayContaining([{ path: 'items.name.label.en', former: 'name?', next: undefined }]),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { askOptions } from '../src/ask.ts';
import { type GeneratorOptions, OptionsError, resolveOptions } from '../src/options.ts';

describe('options of which no plugin can be made', () => {
  test.each<[string, Partial<GeneratorOptions>, RegExp]>([
    ['one letter', { name: 'a' }, /no install name/],
    ['a path', { name: '../evil' }, /no install name/],
    ['the name of the plugin kit', { name: 'kit' }, /another name than kit/],
    ['the name of another package', { name: 'store' }, /goes by the name store already/],
    ['a display name that would end a line', { displayName: 'a\nb' }, /--display-name must be/],
    ['a display name of spaces', { displayName: '  ' }, /--display-name must be/],
    ['a display name too long', { displayName: 'x'.repeat(101) }, /1 to 100 characters/],
    ['a display name that the manifest’s count has too long', { displayName: '🛶'.repeat(51) }, /1 to 100/],
    ['a header with a space', { authHeaderName: 'api key' }, /"api key", which is no name of an HTTP header/],
    ['an unknown form', { forms: ['current', 'native'] }, /--forms has "native".*--native/],
    ['no form', { forms: [] }, /--forms is empty/],
    ['an unknown path shape', { pathShape: 'sideways' }, /--path-shape is "sideways": give path or query/],
    [
      'an unknown guest id',
      { guestId: 'mine' },
      /--guest-id is "mine": give booking-guest-id or waiver-id or none/,
    ],
    ['native with a form', { native: true, forms: ['current'] }, /leave out --forms/],
    [
      'an unknown part',
      { native: true, with: ['lists', 'fax'] },
      /--with has "fax": give one or more of lists, changes/,
    ],
    ['parts without native', { with: ['lists'] }, /^--with: for an API .*, give --native, too/],
    ['a write without native', { auth: 'token', write: 'note' }, /^--auth and --write: for an API/],
    ['an unknown place', { native: true, write: 'fax' }, /--write is "fax": give none or note or field/],
    [
      'a header with another authentication',
      { native: true, auth: 'token', authHeaderName: 'x-key' },
      /--auth token sends the header Authorization: leave out --auth-header-name/,
    ],
    ['pages of nothing', { native: true, with: ['webhooks'], pages: 'cursor' }, /--with lists, or changes/],
    ['a recording with a write', { native: true, from: 'f', write: 'note' }, /--from .*leave out --write/],
    ['native with more', { native: true, pathShape: 'path', guestId: 'none' }, /--path-shape and --guest-id/],
  ])('%s', (_name, wrong, sentence) => {
    const resolve = () => resolveOptions({ name: 'acme', ...wrong }, new Set(['store']));
    expect(resolve).toThrow(OptionsError);
    expect(resolve).toThrow(sentence);
  });
});

test('parts are in one order, whatever the order in which they are given', () => {
  const parts = { name: 'acme', native: true, with: ['webhooks', 'lists'] };
  expect(resolveOptions(parts, new Set()).with).toEqual(['lists', 'webhooks']);
  expect(resolveOptions({ name: 'acme', native: true }, new Set()).with).toEqual([]);
});

test('a display name is made from the install name', () => {
  expect(resolveOptions({ name: 'acme-river-2' }, new Set()).displayName).toBe('Acme River 2');
});

/** Answers questions by how they begin, each with the next of its answers; an empty line for any other. */
function person(answers: Readonly<Record<string, readonly string[]>>) {
  const left = Object.entries(answers).map(([question, given]) => ({ question, given: [...given] }));
  const asked: string[] = [];
  return {
    asked,
    ask: async (question: string) => {
      asked.push(question);
      return left.find((one) => question.startsWith(one.question))?.given.shift() ?? '';
    },
  };
}

test('pressing Enter takes the defaults, for a vendor with its own API', async () => {
  const { ask, asked } = person({});
  const options = await askOptions('acme-rivers', ask);
  expect(resolveOptions(options, new Set())).toEqual(
    resolveOptions({ name: 'acme-rivers', native: true }, new Set()),
  );
  expect(asked[0]).toBe('Name that operators see [Acme Rivers]: ');
  expect(asked).toHaveLength(6);
});

test('an answer that is no choice is asked for again, and only what applies is asked', async () => {
  const { ask, asked } = person({
    Authentication: ['basic', 'oauth'],
    'Where it takes': ['check-in'],
    'What else': ['lists fax', 'lists, webhooks'],
    'How its lists': ['cursor'],
  });
  expect(await askOptions('tidal', ask)).toEqual({
    name: 'tidal',
    displayName: 'Tidal',
    native: true,
    auth: 'oauth',
    write: 'check-in',
    with: ['lists', 'webhooks'],
    pages: 'cursor',
  });
  expect(asked.filter((question) => question.startsWith('Authentication'))).toHaveLength(2);
  expect(asked.some((question) => question.startsWith('Header'))).toBe(false);
});

test('a system that follows the contract is asked about its choices', async () => {
  const { ask } = person({ 'Its API': ['contract'], Forms: ['legacy'], 'Where a booking': ['query'] });
  expect(await askOptions('acme', ask)).toEqual({
    name: 'acme',
    displayName: 'Acme',
    authHeaderName: 'api-key',
    pathShape: 'query',
    forms: ['legacy'],
    guestId: 'booking-guest-id',
  });
});

import { expect, test } from 'vitest';
import { askOptions } from '../src/ask.ts';
import { resolveOptions } from '../src/options.ts';

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

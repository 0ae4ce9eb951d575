import { expect, test } from 'vitest';
import { awaitsCode, withAskedCode } from '../src/draft/draft.ts';
import { toSigning } from '../src/draft/to-signing.ts';
import { family } from './drafts.ts';

const { session, draft } = family();
const asked = { email: 'returning@example.com', id: 'code-1', at: '2027-07-10T07:00:00.000Z' };
const waiting = withAskedCode(draft, asked);

test('a code that was asked for is awaited for as long as it works, and until it is used', () => {
  expect(awaitsCode(draft, new Date(asked.at))).toBe(false);
  expect(awaitsCode(waiting, new Date('2027-07-10T07:09:59Z'))).toBe(true);
  expect(awaitsCode(waiting, new Date('2027-07-10T07:10:00Z'))).toBe(false);
  expect(withAskedCode(waiting, undefined)).toEqual(draft);
});

test('the address to which a code was sent is no part of the signing', () => {
  const signing = toSigning(waiting, waiting.form, session.day, new Date());
  expect(JSON.stringify(signing)).not.toContain(asked.email);
});

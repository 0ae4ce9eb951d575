import { expect, test } from 'vitest';
import peek from '../src/index.ts';

test('nothing is written: Peek does not say what an update does to what it leaves out', () => {
  expect(peek.pushWaiver).toBeUndefined();
  expect(peek.capabilities).toMatchObject({ guestUpdate: false, takes: [], void: false });
});

test('keys for tests and others are sent to one address', () => {
  const account = { accountId: 'a', apiKey: 'k' };
  expect(peek.url?.({ settings: {}, account, purpose: 'read' })).toBe(
    'https://octo.peek.com/integrations/octo',
  );
});

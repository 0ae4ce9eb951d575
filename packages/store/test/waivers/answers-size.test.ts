import { maxAnswersBytes } from '@waiver-service/waivers';
import { expect, test } from 'vitest';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

/** Answers of so many bytes, as JSON in UTF-8. */
function answersOf(bytes: number, name = 'own') {
  const empty = Buffer.byteLength(JSON.stringify({ name: 'Ann', [name]: '' }));
  return { name: 'Ann', [name]: 'é'.repeat((bytes - empty) >> 1) + 'x'.repeat((bytes - empty) & 1) };
}

test('concurrent changes cannot exceed the limit together', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  const outcomes = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      store.waivers.update('p1', 'w1', { answers: answersOf(maxAnswersBytes / 2 - 10, name) }),
    ),
  );
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
    'answers-too-large',
    'updated',
    'updated',
  ]);
});

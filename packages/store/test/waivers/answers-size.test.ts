import { maxAnswersBytes } from '@waiver-service/waivers';
import { expect, test } from 'vitest';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

/** Answers of so many bytes, as JSON in UTF-8. */
function answersOf(bytes: number, name = 'own') {
  const empty = Buffer.byteLength(JSON.stringify({ name: 'Ann', [name]: '' }));
  return { name: 'Ann', [name]: 'é'.repeat((bytes - empty) >> 1) + 'x'.repeat((bytes - empty) & 1) };
}

test('a record holds up to 256 KiB of answers, whether they come at once or one by one', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  const most = answersOf(maxAnswersBytes);
  expect(Buffer.byteLength(JSON.stringify(most))).toBe(262_144);
  expect(await store.waivers.create(waiver({ id: 'w1', answers: most }))).toMatchObject({
    outcome: 'created',
  });
  expect(await store.waivers.create(waiver({ answers: answersOf(maxAnswersBytes + 1) }))).toEqual({
    outcome: 'answers-too-large',
  });
  const more = await store.waivers.update('p1', 'w1', { answers: { name: 'Anna' } });
  expect(more).toEqual({ outcome: 'answers-too-large' });
  expect(await store.waivers.get('p1', 'w1')).toMatchObject({ version: 1, answers: { name: 'Ann' } });
  expect(await store.waivers.update('p1', 'w1', { currentPage: 'two' })).toMatchObject({
    outcome: 'updated',
  });
});

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

test('a record stored before the limit can shrink but not grow', async () => {
  const { store, query } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  const stored = { name: 'Ann', one: 'x'.repeat(maxAnswersBytes), two: 'y' };
  await query("update waiver set answers = $1 where id = 'w1'", [JSON.stringify(stored)]);
  expect(await store.waivers.update('p1', 'w1', { answers: { two: 'yy' } })).toEqual({
    outcome: 'answers-too-large',
  });
  expect(await store.waivers.update('p1', 'w1', { answers: { two: null } })).toMatchObject({
    outcome: 'updated',
  });
});

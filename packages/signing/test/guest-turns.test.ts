import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpProblem } from '@waiver-service/http';
import { expect, test } from 'vitest';
import { createGuestTurns, type TurnLimits, withoutTurn } from '../src/links/guest-turns.ts';

const settle = async () => {
  for (let each = 0; each < 5; each += 1) await nextTurn();
};

function setUp(limits: Partial<TurnLimits> = {}) {
  const turns = createGuestTurns(limits);
  const begun: string[] = [];
  const enter = (name: string, { pool = 'rafting', link = 'link', address = '192.0.2.1' } = {}) => {
    const turn = turns.take({ pool, link, address });
    const waits = turn.begun.then(() => {
      begun.push(name);
    });
    waits.catch(() => {});
    return { turn, waits };
  };
  return { turns, begun, enter };
}

const other = { link: 'other', address: '192.0.2.2' };
const third = { link: 'third', address: '192.0.2.3' };

test('a link has one request in progress, its pool two, and other pools their own', async () => {
  const { begun, enter } = setUp();
  const first = enter('first');
  enter('second');
  enter('of the same address', { link: 'next' });
  enter('other', other);
  enter('third', third);
  enter('climbing', { pool: 'climbing' });
  await settle();
  expect(begun).toEqual(['first', 'other', 'climbing']);
  first.turn.end();
  await settle();
  expect(begun).toEqual(['first', 'other', 'climbing', 'second']);
});

test('links that wait are served alternately, however many requests one has', async () => {
  const { begun, enter } = setUp({ maxOfPool: 1 });
  const entered = new Map<string, ReturnType<typeof enter>>();
  for (const each of [0, 1, 2, 3, 4, 5]) entered.set(`loud ${each}`, enter(`loud ${each}`));
  for (const each of [0, 1]) entered.set(`other ${each}`, enter(`other ${each}`, other));
  for (let count = 0; count < 8; count += 1) {
    await settle();
    entered.get(begun.at(-1) ?? '')?.turn.end();
  }
  expect(begun.slice(0, 5)).toEqual(['loud 0', 'loud 1', 'other 0', 'loud 2', 'other 1']);
  expect(begun).toHaveLength(8);
});

test('others have their turns while one waits for a booking system, and it goes on before those that wait', async () => {
  const { turns, begun, enter } = setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  const source = { pool: 'rafting', link: 'link', address: '192.0.2.1' };
  const done = turns.run(source, new AbortController().signal, async () => {
    begun.push('begins');
    await withoutTurn(() => promise);
    begun.push('goes on');
  });
  const next = enter('next');
  enter('last');
  await settle();
  expect(begun).toEqual(['begins', 'next']);
  resolve();
  await settle();
  expect(begun).toEqual(['begins', 'next']);
  next.turn.end();
  await done;
  await settle();
  expect(begun).toEqual(['begins', 'next', 'goes on', 'last']);
});

test('a school class may wait; what one link has beyond is told to come again, and others still may', async () => {
  const { enter } = setUp();
  for (let guest = 0; guest < 251; guest += 1) enter(`guest ${guest}`);
  let problem: unknown;
  try {
    enter('beyond');
  } catch (error) {
    problem = error;
  }
  expect(problem).toMatchObject({ status: 429, code: 'pool_busy', headers: { 'retry-after': '1' } });
  expect(problem).toBeInstanceOf(HttpProblem);
  const { waits } = enter('other', other);
  await waits;
});

test('who leaves makes room, before and in the turn', async () => {
  const { turns, begun, enter } = setUp();
  const first = enter('first');
  const leaving = enter('leaving');
  enter('next');
  const caller = new AbortController();
  const source = { pool: 'rafting', link: 'link', address: '192.0.2.1' };
  const aborted = turns.run(source, caller.signal, async () => begun.push('aborted'));
  leaving.turn.end();
  await expect(leaving.waits).rejects.toThrow('before its turn');
  caller.abort();
  await expect(aborted).rejects.toThrow('before its turn');
  first.turn.end();
  first.turn.end();
  await settle();
  expect(begun).toEqual(['first', 'next']);
});

test('a request that fails ends its turn', async () => {
  const { turns, begun, enter } = setUp();
  const source = { pool: 'rafting', link: 'link', address: '192.0.2.1' };
  const failed = turns.run(source, new AbortController().signal, async () => {
    throw new Error('broken');
  });
  await expect(failed).rejects.toThrow('broken');
  await enter('next').waits;
  expect(begun).toEqual(['next']);
});

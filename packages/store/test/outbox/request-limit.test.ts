import { setTimeout as delay } from 'node:timers/promises';
import type { RequestLimits } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { openStore, type Store } from '../../src/index.ts';
import { claimAll, claimShares, findWork, install, waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox, testKey } from '../setup/open-test-store.ts';

const twoWindows: RequestLimits['windows'] = [
  { requests: 5, windowMs: 400 },
  { requests: 12, windowMs: 2_000 },
];
const oneWindow: RequestLimits['windows'] = [{ requests: 5, windowMs: 400 }];

async function limited(windows: RequestLimits['windows'] = oneWindow) {
  const key = testKey();
  const opened = await openOutbox({ installed: false, webhook: false, keys: [key] });
  const { store, url } = opened;
  await install(store, { requestLimits: { per: 'installation', windows } });
  for (let i = 0; i < 20; i += 1) await store.waivers.create(waiver());
  const { work } = await findWork(store);
  expect(work).toMatchObject([{ limited: true }]);
  const again = () => openStore({ databaseUrl: url, encryptionKeys: [key] });
  return { ...opened, again, destination: work[0]?.destination ?? '' };
}

/** Requests that may leave, and how soon they have to. */
interface Grant {
  readonly requests: number;
  readonly withinMs: number;
}

const nothing: Grant = { requests: 0, withinMs: 0 };

async function grantMessages(store: Store, destination: string, slots: number): Promise<Grant> {
  const [grant] = await store.outbox.takeFirstRequests([{ destination, slots, busyLanes: [] }], false);
  return grant ? { requests: grant.slots, withinMs: grant.sendWithinMs } : nothing;
}

async function grantCalls(store: Store, destination: string, requests: number): Promise<Grant> {
  const taken = await store.requestBudgets.take({ destination, requests });
  return taken ? { requests: taken.requests, withinMs: taken.makeWithinMs } : nothing;
}

const takeForMessages = async (store: Store, destination: string, slots: number) =>
  (await grantMessages(store, destination, slots)).requests;
const takeForCalls = async (store: Store, destination: string, requests: number) =>
  (await grantCalls(store, destination, requests)).requests;

test.each([
  ['one window', oneWindow],
  ['two windows', twoWindows],
])(
  'hosts that take at once get, in any window, no more than %s allows, and go on getting it',
  async (_, windows) => {
    const { store, destination, again } = await limited(windows);
    const other = await again();
    const leftAt: number[] = [];
    // As many as are due in two seconds, however long a busy machine takes.
    const wanted = Math.min(...windows.map(({ requests, windowMs }) => (requests * 2_000) / windowMs));
    await Promise.all(
      Array.from({ length: 6 }, async (_host, place) => {
        const host = place % 2 === 0 ? store : other;
        const take = place < 3 ? grantMessages : grantCalls;
        while (leftAt.length < wanted) {
          const from = performance.now();
          const { requests, withinMs } = await take(host, destination, 1 + (place % 3));
          const latest = from + withinMs;
          const granted = performance.now();
          // At once, or as late as they may; not at all once that is over.
          const leaveAt = place % 2 === 0 ? granted : latest;
          if (granted <= latest) leftAt.push(...Array<number>(requests).fill(leaveAt));
          await delay(Math.random() * 20);
        }
      }),
    );
    await other.close();
    for (const { requests, windowMs } of windows) {
      for (const from of leftAt) {
        const inWindow = leftAt.filter((at) => at >= from && at < from + windowMs);
        expect(inWindow.length).toBeLessThanOrEqual(requests);
      }
    }
  },
);

test('no more requests are taken than are due, and those taken count for the rest of their window', async () => {
  const { store, destination, query } = await limited([{ requests: 6, windowMs: 3_600_000 }]);
  await query(
    `update pending set due_at = now() + interval '1 hour' where id not in (select id from pending limit 3)`,
  );
  expect(
    await store.outbox.takeFirstRequests([{ destination, slots: 8, busyLanes: [] }], false),
  ).toMatchObject([{ slots: 3 }]);
  expect(await store.outbox.takeFirstRequests([{ destination, slots: 8, busyLanes: [] }], true)).toEqual([]);
  // A fifth of six, one, is left to reads.
  expect(
    await store.outbox.takeFirstRequests([{ destination, slots: 8, busyLanes: [] }], false),
  ).toMatchObject([{ slots: 2 }]);
  expect(await store.outbox.takeFirstRequests([{ destination, slots: 8, busyLanes: [] }], false)).toEqual([]);
  expect(await takeForCalls(store, destination, 8)).toBe(1);
});

test('no request is taken for a message that is being sent already', async () => {
  const { store, destination } = await limited();
  const sent = await claimShares(store, [{ destination, slots: 18 }]);
  const busyLanes = sent.map(({ lane }) => lane);
  expect(busyLanes).toHaveLength(18);
  expect(await store.outbox.takeFirstRequests([{ destination, slots: 5, busyLanes }], false)).toMatchObject([
    { slots: 2 },
  ]);
});

test('installations that share the limits of their booking system get no more than these together', async () => {
  const windows = [{ requests: 10, windowMs: 3_600_000 }];
  const { store, destination } = await limited(windows);
  const requestLimits: RequestLimits = { per: 'booking-system', windows };
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  for (const pool of ['p1', 'p2']) await install(store, { pool, requestLimits });
  for (let i = 0; i < 7; i += 1) await store.waivers.create(waiver({ pool: 'p2' }));
  const { work } = await findWork(store);
  const shares = work.map((each) => ({ destination: each.destination, slots: 7, busyLanes: [] }));
  expect(shares).toHaveLength(2);
  const grants = await store.outbox.takeFirstRequests(shares, false);
  expect(grants.reduce((sum, { slots }) => sum + slots, 0)).toBe(8);
  for (const each of work) expect(await takeForCalls(store, each.destination, 1)).toBe(1);
  expect(await takeForCalls(store, destination, 1)).toBe(0);
});

test('while a call waits for a request, no message is begun', async () => {
  const { store, destination, query } = await limited([{ requests: 2, windowMs: 1_000 }]);
  expect(await takeForCalls(store, destination, 2)).toBe(2);
  const denied = await store.requestBudgets.take({ destination, requests: 1 });
  expect(denied).toMatchObject({ requests: 0 });
  // A busy machine may be late by more than a call is given.
  await query(
    'update request_budget set urgent_until_ms = urgent_until_ms + 60000 where urgent_until_ms > 0',
  );
  await delay((denied?.waitMs ?? 0) + 10);
  expect(await takeForMessages(store, destination, 1)).toBe(0);
  expect(await takeForCalls(store, destination, 1)).toBe(1);
});

test('requests that were not made are given back, once', async () => {
  const { store, destination } = await limited([
    { requests: 4, windowMs: 60_000 },
    { requests: 9, windowMs: 3_600_000 },
  ]);
  const taken = await store.requestBudgets.take({ destination, requests: 4 });
  expect(taken).toMatchObject({ requests: 4, waitMs: 0, makeWithinMs: 3_000 });
  const unused = { takenMs: taken?.takenMs ?? 0, requests: 3 };
  expect(await store.requestBudgets.take({ destination, requests: 0, unused })).toMatchObject({
    requests: 0,
  });
  expect(await takeForCalls(store, destination, 9)).toBe(3);
  expect(await takeForCalls(store, destination, 9)).toBe(0);
});

test('a reinstall without limits lifts them', async () => {
  const { store } = await limited();
  await install(store);
  expect((await findWork(store)).work).toMatchObject([{ limited: false }]);
  expect(await claimAll(store)).toHaveLength(20);
});

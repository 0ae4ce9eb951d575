import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { claimAll, claimShares, findWork, install, openOutbox, waiver } from '../setup/outbox-fixture.ts';

const windowMs = 400;
const requests = 5;

async function limited() {
  const opened = await openOutbox({ installed: false, webhook: false });
  const { store } = opened;
  await install(store, { requestLimit: { requests, perSeconds: windowMs / 1_000 } });
  for (let i = 0; i < 20; i += 1) await store.waivers.create(waiver());
  const { work } = await findWork(store);
  expect(work).toMatchObject([{ limited: true }]);
  return { ...opened, destination: work[0]?.destination ?? '' };
}

test('many that take at once get, in any window, no more than the limit together, and nearly all of it', async () => {
  const { store, destination } = await limited();
  const grants: { from: number; to: number; slots: number }[] = [];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 6 }, async (_, place) => {
      while (performance.now() - startedAt < 6 * windowMs) {
        const from = performance.now();
        const [grant] = await store.outbox.takeRequests(
          [{ destination, slots: 1 + (place % 3), busyLanes: [] }],
          false,
        );
        if (grant !== undefined) grants.push({ from, to: performance.now(), slots: grant.slots });
        await delay(Math.random() * 20);
      }
    }),
  );
  for (const { from } of grants) {
    const inWindow = grants.filter((grant) => grant.from >= from && grant.to <= from + windowMs);
    expect(inWindow.reduce((sum, { slots }) => sum + slots, 0)).toBeLessThanOrEqual(requests);
  }
  const taken = grants.reduce((sum, { slots }) => sum + slots, 0);
  expect(taken).toBeGreaterThanOrEqual(3 * requests);
});

test('no more is taken than is due, and what was taken in a window counts in the next takes of it', async () => {
  const { store, destination, query } = await limited();
  await query(
    `update pending set due_at = now() + interval '1 hour' where id not in (select id from pending limit 3)`,
  );
  await query(`update request_limit set window_ms = 3600000`);
  expect(await store.outbox.takeRequests([{ destination, slots: 8, busyLanes: [] }], false)).toMatchObject([
    { slots: 3 },
  ]);
  expect(await store.outbox.takeRequests([{ destination, slots: 8, busyLanes: [] }], true)).toEqual([]);
  expect(await store.outbox.takeRequests([{ destination, slots: 8, busyLanes: [] }], false)).toMatchObject([
    { slots: 2 },
  ]);
  expect(await store.outbox.takeRequests([{ destination, slots: 8, busyLanes: [] }], false)).toEqual([]);
});

test('nothing is taken for what is being sent already', async () => {
  const { store, destination } = await limited();
  const sent = await claimShares(store, [{ destination, slots: 18 }]);
  const busyLanes = sent.map(({ lane }) => lane);
  expect(busyLanes).toHaveLength(18);
  expect(await store.outbox.takeRequests([{ destination, slots: 5, busyLanes }], false)).toMatchObject([
    { slots: 2 },
  ]);
});

test('a reinstall without a limit lifts it', async () => {
  const { store } = await limited();
  await install(store);
  expect((await findWork(store)).work).toMatchObject([{ limited: false }]);
  expect(await claimAll(store)).toHaveLength(20);
});

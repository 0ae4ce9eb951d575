import { expect, test } from 'vitest';
import {
  claimAll,
  claimOne,
  claimProbes,
  claimShares,
  deliver,
  findWork,
  install,
  refuse,
  waiver,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-test-store.ts';

test('a held destination is neither claimed nor probed; a shorter hold does not shorten a longer one', async () => {
  const { store, query } = await openOutbox();
  await store.waivers.create(waiver({ id: 'w1' }));
  const { items } = await store.destinations.list({ limit: 10 });
  const held = items.find(({ kind }) => kind === 'guest-update');
  const destination = held?.id ?? '';
  await store.outbox.hold([
    { destination, holdMs: 60_000 },
    { destination, holdMs: 90_000 },
  ]);
  await store.outbox.hold([{ destination, holdMs: 1_000 }]);
  const heldUntil = (await store.destinations.get(destination))?.heldUntil?.getTime() ?? 0;
  expect(heldUntil - Date.now()).toBeGreaterThan(80_000);
  expect(heldUntil - Date.now()).toBeLessThanOrEqual(90_000);
  expect((await findWork(store)).work.map((work) => work.destination)).not.toContain(destination);
  const shares = items.map(({ id }) => ({ destination: id, slots: 5 }));
  const claimed = await claimShares(store, shares, { limit: 10 });
  expect(claimed.map(({ kind }) => kind)).toEqual(['guest-webhook']);

  const probe = () => claimProbes(store, 10);
  await query(
    `update destination set status = 'paused', paused_by = 'failures', next_probe_at = now() where id = $1`,
    [destination],
  );
  expect(await probe()).toEqual([]);
  await query(`update destination set held_until = now() where id = $1`, [destination]);
  expect(await store.destinations.get(destination)).not.toHaveProperty('heldUntil');
  expect(await probe()).toMatchObject([{ waiverId: 'w1', trigger: 'probe' }]);
});

test('a hold outlives a person’s pause, and ends with a resume', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const [destination] = (await store.destinations.list({ limit: 1 })).items;
  const id = destination?.id ?? '';
  await store.outbox.hold([{ destination: id, holdMs: 60_000 }]);
  expect(await store.destinations.pause(id)).toHaveProperty('heldUntil');
  expect(await claimAll(store)).toEqual([]);
  await store.destinations.resume(id);
  expect(await claimAll(store)).toHaveLength(1);
});

test('a resume makes waiting messages due at once', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const refused = await claimOne(store);
  await refuse(store, refused, 3_600_000);
  expect(await claimAll(store)).toEqual([]);
  await store.destinations.resume(refused.destination);
  expect(await claimOne(store)).toMatchObject({ id: refused.id });
});

const policy = { pauseAfterMs: 86_400_000, probeIntervalMs: 3_600_000 };

test('the first success of a destination that never failed is there for the operator to see', async () => {
  const { store } = await openOutbox({ webhook: false });
  const [destination] = (await store.destinations.list({ limit: 10 })).items;
  const taken = { destination: destination?.id ?? '', succeeded: true, failures: 0, gone: false };
  await store.outbox.recordHealth([taken], policy);
  const [installation] = await store.installations.list('p1');
  expect(installation?.lastSuccessAt).toBeInstanceOf(Date);
});

test('a person’s pause outlives a success that was in flight when it was made', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const inFlight = await claimOne(store);
  const { destination } = inFlight;
  await store.destinations.pause(destination);
  await deliver(store, inFlight);
  const taken = { destination, succeeded: true, failures: 0, gone: false };
  expect(await store.outbox.recordHealth([taken], policy)).toEqual([]);
  expect(await store.destinations.get(destination)).toMatchObject({ status: 'paused' });
  await store.waivers.create(waiver());
  expect(await claimAll(store)).toEqual([]);
  expect((await store.deliveries.list({ state: 'held' }, { limit: 10 })).items).toHaveLength(1);
});

test('a failure that was in flight does not turn a person’s pause into one that a probe ends', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const { destination } = await claimOne(store);
  await store.destinations.pause(destination);
  const failed = { destination, succeeded: false, failures: 1, gone: true };
  expect(await store.outbox.recordHealth([failed], policy)).toEqual([]);
  expect(await query('select paused_by, next_probe_at from destination')).toEqual([
    { paused_by: 'person', next_probe_at: null },
  ]);
});

test('an operator’s pause is not probed after the booking system was reinstalled', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  const [destination] = (await store.destinations.list({ limit: 1 })).items;
  await store.destinations.pause(destination?.id ?? '');
  await install(store);
  expect(await query('select status, next_probe_at from destination')).toEqual([
    { status: 'paused', next_probe_at: null },
  ]);
  await query(`update destination set paused_by = 'failures', next_probe_at = now() + interval '1 hour'`);
  await install(store);
  expect(await query('select next_probe_at <= now() as is_due from destination')).toEqual([{ is_due: true }]);
});

test('lanes with something to send are counted by kind, and by whether they wait, are sent or are held', async () => {
  const { store } = await openOutbox();
  expect(await store.outbox.countLanes()).toEqual([]);
  for (const id of ['w1', 'w2']) await store.waivers.create(waiver({ id }));
  // A further version waits in the same lane.
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  const counts = async () =>
    (await store.outbox.countLanes()).toSorted((a, b) => a.kind.localeCompare(b.kind));
  expect(await counts()).toEqual([
    { kind: 'guest-update', state: 'waiting', lanes: 2 },
    { kind: 'guest-webhook', state: 'waiting', lanes: 2 },
  ]);
  const { items } = await store.destinations.list({ limit: 10 });
  const [update, hook] = items;
  await store.outbox.hold([{ destination: update?.id ?? '', holdMs: 60_000 }]);
  expect((await claimAll(store)).map(({ destination }) => destination)).toEqual([hook?.id, hook?.id]);
  expect(await counts()).toEqual([
    { kind: update?.kind, state: 'held', lanes: 2 },
    { kind: hook?.kind, state: 'sending', lanes: 2 },
  ]);
});

import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import {
  claimAll,
  claimOne,
  claimShares,
  deliver,
  findWork,
  finish,
  guestUpdate,
  lose,
  loseWorker,
  refuse,
  returnClaims,
  schedule,
  startWorker,
  waiver,
  webhookSettings,
  workerOf,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox, openTransaction } from '../setup/open-test-store.ts';

/** Shares of the destinations that have work, of some slots each. */
const findShares = async (store: Store, slots: number) =>
  (await findWork(store)).work.map(({ destination }) => ({ destination, slots }));

test('a signed waiver is claimed once for the booking system and once for the webhook, with all that is sent', async () => {
  const { store } = await openOutbox();
  const created = await store.waivers.create(waiver({ id: 'w1' }));
  expect(created.outcome).toBe('created');
  const claimed = await claimAll(store);
  const common = { pool: 'p1', waiverId: 'w1', version: 1, attempts: 0, trigger: 'schedule' };
  expect(claimed.toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
    { ...common, kind: 'guest-update', bookingId: 'b1' },
    { ...common, kind: 'guest-webhook', bookingId: null },
  ]);
  expect(JSON.parse(guestUpdate(claimed).body)).toMatchObject({ waiver: { id: 'w1', deleted: false } });
  expect(await claimAll(store)).toEqual([]);
  for (const each of claimed) await deliver(store, each);
  expect(await claimAll(store)).toEqual([]);
  expect(
    (await store.waivers.deliveriesOf('p1', 'w1')).map(({ state, attempts }) => [state, attempts]),
  ).toEqual([
    ['delivered', 1],
    ['delivered', 1],
  ]);
});

test('no more is claimed than there are slots for', async () => {
  const { store } = await openOutbox({ webhook: false });
  for (let i = 0; i < 5; i += 1) await store.waivers.create(waiver());
  const shares = await findShares(store, 2);
  expect(await claimShares(store, shares)).toHaveLength(2);
  expect(await claimShares(store, shares, { limit: 1 })).toHaveLength(1);
  expect(await claimShares(store, shares)).toHaveLength(2);
  expect(await claimShares(store, shares)).toHaveLength(0);
});

test('one slot takes the oldest', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  for (const id of ['newest', 'oldest', 'older']) await store.waivers.create(waiver({ id }));
  const dueFor = { newest: 1, older: 2, oldest: 3 };
  for (const [id, minutes] of Object.entries(dueFor)) {
    await query(`update pending set due_at = now() - $2 * interval '1 minute' where ordering_key = $1`, [
      id,
      minutes,
    ]);
  }
  const shares = await findShares(store, 1);
  const taken: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    for (const { waiverId } of await claimShares(store, shares)) taken.push(waiverId);
  }
  expect(taken).toEqual(['oldest', 'older', 'newest']);
});

test('dispatchers share the destinations, and none claims what another has', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  for (let place = 0; place < 20; place += 1) {
    await store.webhooks.create('p1', { ...webhookSettings, url: `https://receiver.example/${place}` });
  }
  const workers = [await startWorker(store), await startWorker(store), await startWorker(store)];
  // The first had all: the others get theirs when it has given them up.
  for (const worker of [...workers, ...workers]) await store.outbox.balanceShards(worker.dispatcher, []);
  await Promise.all([1, 2, 3, 4].map(() => store.waivers.create(waiver())));
  const claimed = await Promise.all(workers.map((worker) => claimAll(store, 1_000, worker)));
  const ids = claimed.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(80);
  expect(ids).toHaveLength(80);
  for (const each of claimed) expect(each.length).toBeGreaterThan(0);
});

test('a shard with something in flight is given up only when that has ended', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  const first = await startWorker(store);
  const [claimed] = await claimAll(store, 1, first);
  if (claimed === undefined) throw new Error('nothing was claimed');
  const second = await startWorker(store);
  const third = await startWorker(store);
  const inUse = Array.from({ length: 64 }, (_, shard) => shard);
  await store.outbox.balanceShards(first.dispatcher, inUse);
  await store.outbox.balanceShards(second.dispatcher, []);
  const owners = async () =>
    (
      await query(`select owner, count(*)::int as n, count(*) filter (where draining)::int as draining
      from shard group by 1 order by 2`)
    ).map(({ n, draining }) => [n, draining]);
  expect(await owners()).toEqual([[64, 42]]);
  await store.outbox.balanceShards(first.dispatcher, [claimed.shard]);
  await store.outbox.balanceShards(second.dispatcher, []);
  expect(await query('select owner from shard where id = $1', [claimed.shard])).toEqual([
    { owner: first.dispatcher },
  ]);
  // It has one more than its part as long as that one is draining.
  await deliver(store, claimed, first);
  await store.outbox.balanceShards(first.dispatcher, []);
  await store.outbox.balanceShards(third.dispatcher, []);
  expect((await owners()).toSorted()).toEqual([
    [20, 0],
    [22, 0],
    [22, 0],
  ]);
});

test('retries and first attempts are claimed separately, so that retries cannot use up the slots of first attempts', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'old' }));
  await refuse(store, await claimOne(store));
  await store.waivers.create(waiver({ id: 'new' }));
  const { work } = await findWork(store);
  expect(work).toMatchObject([{ fresh: true, retrying: true }]);
  const shares = work.map(({ destination }) => ({ destination, slots: 5 }));
  const ids = async (retrying: boolean) =>
    (await claimShares(store, shares, { retrying })).map(({ waiverId }) => waiverId);
  expect(await ids(false)).toEqual(['new']);
  expect(await ids(true)).toEqual(['old']);
});

test('a message is not claimed before its next attempt is due', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const refused = await claimOne(store);
  await refuse(store, refused, 3_600_000);
  const shares = [{ destination: refused.destination, slots: 5 }];
  const claim = () => claimShares(store, shares, { retrying: true });
  expect(await claim()).toEqual([]);
  const [wait] = await query('select extract(epoch from due_at - now())::float8 as seconds from pending');
  expect(wait?.seconds).toBeGreaterThan(3_540);
  expect(wait?.seconds).toBeLessThanOrEqual(3_600);
  await query('update pending set due_at = now()');
  expect(await claim()).toMatchObject([{ id: refused.id, attempts: 1 }]);
});

test('neither a probe nor a fault of the service uses an attempt', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  await finish(store, await claimOne(store), { kind: 'retry', waitMs: 0, usesAttempt: false });
  const second = await claimOne(store);
  expect(second.attempts).toBe(0);
  await finish(store, second, { kind: 'release', waitMs: 0 }, null);
  expect((await claimOne(store)).attempts).toBe(0);
});

test('a postponed message has no attempt and no log entry, and stays in doubt if it was', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  await lose(store, await claimOne(store));
  const { dispatcher } = await workerOf(store);
  const second = await claimOne(store);
  const { trigger } = second;
  const attempt = { at: new Date(), durationMs: 5, outcome: 'postponed', trigger } as const;
  const decision = { kind: 'release', waitMs: 0 } as const;
  await store.outbox.record(dispatcher, [{ ...second, decision, inDoubt: undefined, attempt }]);
  (await workerOf(store)).inFlight.delete(second);
  expect(await claimOne(store)).toMatchObject({ id: second.id, attempts: 1, inDoubt: true });
  expect(await query('select outcome from attempt')).toEqual([{ outcome: 'in-doubt' }]);
});

test('a message given back is still a first attempt, and only its dispatcher can give it back', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const first = await claimOne(store);
  await returnClaims(store, first);
  const second = await claimOne(store);
  expect(second).toMatchObject({ id: first.id, attempts: 0, inDoubt: false });
  const other = await startWorker(store);
  await returnClaims(store, second, other);
  expect(await query('select 1 from journal where $1 = any (ids)', [second.id])).toHaveLength(1);
});

test('a destination that was paused a moment ago is not claimed, although it was found to have work', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const shares = await findShares(store, 5);
  expect(shares).toHaveLength(1);
  await store.destinations.pause(shares[0]?.destination ?? '');
  expect(await claimShares(store, shares)).toEqual([]);
});

test('messages behind one in doubt do not hide others that are due', async () => {
  const { store } = await openOutbox({ webhook: false });
  for (let place = 0; place < 6; place += 1) {
    const id = `w${place}`;
    await store.waivers.create(waiver({ id }));
    await lose(store, await claimOne(store), 3_600_000);
    await store.waivers.update('p1', id, { currentPage: 'behind' });
  }
  await store.waivers.create(waiver({ id: 'free' }));
  const shares = await findShares(store, 2);
  const claimed: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    for (const { waiverId } of await claimShares(store, shares)) claimed.push(waiverId);
  }
  expect(claimed).toEqual(['free']);
  expect((await findWork(store)).work).toEqual([]);
});

test('an accepted message is recorded although its row has changed while it was being sent', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const claimed = await claimOne(store);
  await store.deliveries.retry(claimed.id);
  expect(await query('select ctid::text as row from pending')).not.toEqual([{ row: claimed.rowId }]);
  expect(await deliver(store, claimed)).toEqual(new Set([claimed.id]));
  expect(await query('select from pending')).toEqual([]);
  expect(await query('select outcome from attempt')).toEqual([{ outcome: 'accepted' }]);
});

test('a record that is repeated takes no later message, though its row is where the recorded one was', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const claimed = await claimOne(store);
  await deliver(store, claimed);
  await query('vacuum pending');
  await store.waivers.create(waiver());
  expect(await query('select ctid::text as row from pending')).toEqual([{ row: claimed.rowId }]);
  expect(await deliver(store, claimed)).toEqual(new Set());
  expect(await query('select from pending')).toHaveLength(1);
});

test('a dispatcher that is gone loses its messages to another: in doubt, with the same body, and no attempt is used', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  const gone = await startWorker(store);
  const [lost] = await claimAll(store, 1, gone);
  if (lost === undefined) throw new Error('nothing was claimed');
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  expect(await store.outbox.takeOver(() => ({ kind: 'dead' }))).toBe(0);
  expect(await loseWorker(store, gone)).toBe(1);
  const again = await claimOne(store);
  expect(again).toMatchObject({ id: lost.id, body: lost.body, inDoubt: true, attempts: 0 });
  // The first one comes back to life: it may record nothing, claim nothing and give nothing back.
  expect((await deliver(store, lost, gone)).size).toBe(0);
  expect((await finish(store, lost, { kind: 'dead' }, false, gone)).size).toBe(0);
  expect(await store.outbox.renewLease(gone.dispatcher, 60_000)).toBe(false);
  // But that it was begun and may have arrived is on record.
  expect((await store.deliveries.get(lost.id))?.attempts).toMatchObject([{ outcome: 'in-doubt' }]);
  await returnClaims(store, { ...lost, batch: again.batch }, gone);
  expect(await claimAll(store, 1, gone)).toEqual([]);
  expect((await deliver(store, again)).size).toBe(1);
  expect(await claimOne(store)).toMatchObject({ version: 2 });
});

test('a message that keeps losing its lease becomes a dead letter, and the lane moves on', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  for (const _ of schedule) {
    await claimOne(store);
    await loseWorker(store);
    await query(`update pending set due_at = now()`);
  }
  expect(await claimAll(store)).toEqual([]);
  expect(await store.waivers.deliveriesOf('p1', 'w1')).toMatchObject([{ state: 'dead' }]);
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  expect(await claimOne(store)).toMatchObject({ version: 2 });
});

test('an attempt whose record the database rejects for good comes into doubt, once', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  const worker = await workerOf(store);
  const claimed = await claimOne(store);
  const lost = { id: claimed.id, batch: claimed.batch, at: new Date() };
  const giveUp = () => store.outbox.giveUp(worker.dispatcher, lost, () => ({ kind: 'retry', waitMs: 0 }));
  expect(await giveUp()).toBe(1);
  expect(await giveUp()).toBe(0);
  worker.inFlight.clear();
  expect(await claimOne(store)).toMatchObject({ id: claimed.id, inDoubt: true });
});

test('a claim whose response was lost is void, and its messages are neither sent nor in doubt', async () => {
  const { store, query, url } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  const worker = await workerOf(store);
  // One that commits while its answer is on the way, and one that is still under way when it is voided.
  await claimOne(store);
  worker.inFlight.clear();
  const client = await openTransaction(url, 'select from dispatcher for key share');
  let isVoid = false;
  const voided = store.outbox.voidLostClaims(worker.dispatcher, []).then((epoch) => {
    isVoid = true;
    return epoch;
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(isVoid).toBe(false);
  await client.query('commit');
  expect(await voided).toBe(1);
  expect(await query('select 1 from journal')).toEqual([]);
  expect(await claimAll(store)).toEqual([]);
  worker.epoch = 1;
  expect(await claimOne(store)).toMatchObject({ waiverId: 'w1', inDoubt: false });
});

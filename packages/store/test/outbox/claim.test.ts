import { expect, test } from 'vitest';
import {
  claimAll,
  claimOne,
  deliver,
  finish,
  guestUpdate,
  leaseMs,
  openOutbox,
  refuse,
  schedule,
  waiver,
} from '../setup/outbox-fixture.ts';

test('a signed waiver is claimed once for the booking system and once for the webhook, with all that is sent', async () => {
  const { store } = await openOutbox();
  const created = await store.waivers.create(waiver({ id: 'w1' }));
  expect(created.outcome).toBe('created');
  const claimed = await claimAll(store);
  expect(
    claimed
      .map(({ kind, pool, waiverId, version, bookingId, attempts, trigger }) => ({
        kind,
        pool,
        waiverId,
        version,
        bookingId,
        attempts,
        trigger,
      }))
      .sort((a, b) => a.kind.localeCompare(b.kind)),
  ).toEqual([
    {
      kind: 'guest-update',
      pool: 'p1',
      waiverId: 'w1',
      version: 1,
      bookingId: 'b1',
      attempts: 0,
      trigger: 'schedule',
    },
    {
      kind: 'guest-webhook',
      pool: 'p1',
      waiverId: 'w1',
      version: 1,
      bookingId: null,
      attempts: 0,
      trigger: 'schedule',
    },
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

test('what a destination may have in flight is not exceeded', async () => {
  const { store } = await openOutbox({ webhook: false });
  for (let i = 0; i < 5; i += 1) await store.waivers.create(waiver());
  const { work } = await store.outbox.findWork('');
  const shares = work.map(({ destination }) => ({ destination, slots: 2 }));
  const claim = () => store.outbox.claim({ shares, limit: 100, retrying: false, leaseMs });
  expect(await claim()).toHaveLength(2);
  expect(await store.outbox.claim({ shares, limit: 1, retrying: false, leaseMs })).toHaveLength(1);
  expect(await claim()).toHaveLength(2);
  expect(await claim()).toHaveLength(0);
});

test('one slot takes the oldest', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  for (const id of ['newest', 'oldest', 'older']) await store.waivers.create(waiver({ id }));
  const dueFor = { newest: 1, older: 2, oldest: 3 };
  for (const [id, minutes] of Object.entries(dueFor)) {
    await query(`update lane set due_at = now() - $2 * interval '1 minute' where ordering_key = $1`, [
      id,
      minutes,
    ]);
  }
  const { work } = await store.outbox.findWork('');
  const shares = work.map(({ destination }) => ({ destination, slots: 1 }));
  const taken: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    for (const { waiverId } of await store.outbox.claim({ shares, limit: 10, retrying: false, leaseMs })) {
      taken.push(waiverId);
    }
  }
  expect(taken).toEqual(['oldest', 'older', 'newest']);
});

test('two that claim at once never get the same lane', async () => {
  const { store } = await openOutbox({ webhook: false });
  await Promise.all(Array.from({ length: 60 }, () => store.waivers.create(waiver())));
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claimAll(store)))).flat();
  claimed.push(...(await claimAll(store)));
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
  expect(claimed).toHaveLength(60);
});

test('retries and first tries are claimed apart, so that the ones cannot use up the slots of the others', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'old' }));
  await refuse(store, await claimOne(store));
  await store.waivers.create(waiver({ id: 'new' }));
  const { work } = await store.outbox.findWork('');
  expect(work).toMatchObject([{ fresh: true, retrying: true }]);
  const shares = work.map(({ destination }) => ({ destination, slots: 5 }));
  const ids = async (retrying: boolean) =>
    (await store.outbox.claim({ shares, limit: 5, retrying, leaseMs })).map(({ waiverId }) => waiverId);
  expect(await ids(false)).toEqual(['new']);
  expect(await ids(true)).toEqual(['old']);
});

test('what waits for its next try is not claimed before its time', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const refused = await claimOne(store);
  await refuse(store, refused, 3_600_000);
  const shares = [{ destination: refused.destination, slots: 5 }];
  const claim = () => store.outbox.claim({ shares, limit: 5, retrying: true, leaseMs });
  expect(await claim()).toEqual([]);
  const [wait] = await query('select extract(epoch from due_at - now())::float8 as seconds from lane');
  expect(wait?.seconds).toBeGreaterThan(3_540);
  expect(wait?.seconds).toBeLessThanOrEqual(3_600);
  await query('update lane set due_at = now()');
  expect(await claim()).toMatchObject([{ id: refused.id, attempts: 1 }]);
});

test('neither a probe nor a fault of ours uses a try', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  await finish(store, await claimOne(store), { kind: 'retry', waitMs: 0, usesTry: false });
  const second = await claimOne(store);
  expect(second.attempts).toBe(0);
  await finish(store, second, { kind: 'release', waitMs: 0 }, null);
  expect((await claimOne(store)).attempts).toBe(0);
});

test('what is given back is a first try as before, and only who holds the lane gives it back', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const first = await claimOne(store);
  await store.outbox.giveBack([first]);
  const shares = [{ destination: first.destination, slots: 5 }];
  const claim = () => store.outbox.claim({ shares, limit: 5, retrying: false, leaseMs });
  const [second] = await claim();
  expect(second).toMatchObject({ id: first.id, attempts: 0, inDoubt: false });
  // Another host holds it by now: it stays there.
  await store.outbox.giveBack([first]);
  expect(await query('select state from lane')).toEqual([{ state: 'leased' }]);
  expect(await claim()).toEqual([]);
});

test('a destination that was paused a moment ago is not claimed, although it was found to have work', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const { work } = await store.outbox.findWork('');
  const shares = work.map(({ destination }) => ({ destination, slots: 5 }));
  expect(shares).toHaveLength(1);
  await store.destinations.pause(shares[0]?.destination ?? '');
  expect(await store.outbox.claim({ shares, limit: 5, retrying: false, leaseMs })).toEqual([]);
});

test('a claim that comes upon a lane which changed since it began to look leaves the lane to the next claim', async () => {
  const { store, query, url } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  // Every look at a destination takes a while, so that the change falls between the claim's snapshot and its lock.
  await query(
    `create function slow() returns boolean language sql volatile as $$ select pg_sleep(0.7) is not null $$`,
  );
  await query(`alter table destination rename to destination_table`);
  await query(`create view destination as select * from destination_table where slow()`);
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  const {
    rows: [destination],
  } = await client.query('select id from destination_table');
  const shares = [{ destination: String(destination.id), slots: 5 }];
  const slow = store.outbox.claim({ shares, limit: 5, retrying: false, leaseMs });
  // Every change of what waits in a lane touches the lane.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await client.query(`begin`);
  await client.query(`update lane set due_at = due_at`);
  await client.query(`commit`);
  await client.end();
  expect(await slow).toEqual([]);
  expect(await query(`select state from lane`)).toEqual([{ state: 'ready' }]);
  expect(await store.outbox.claim({ shares, limit: 5, retrying: false, leaseMs })).toHaveLength(1);
});

test('a lease that ran out gives the lane to another, in doubt and with the same body, and uses no try', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  const lost = await claimOne(store);
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  expect(await store.outbox.reclaim(schedule)).toBe(0);
  await query(`update lane set lease_until = now() - interval '1 second'`);
  expect(await store.outbox.reclaim(schedule)).toBe(1);
  const again = await claimOne(store);
  expect(again).toMatchObject({ id: lost.id, body: lost.body, inDoubt: true, attempts: 0 });
  expect(again.leaseToken).not.toBe(lost.leaseToken);
  // The first one comes back to life: it may record nothing.
  expect((await deliver(store, lost)).size).toBe(0);
  expect(await store.outbox.extendLeases([lost], leaseMs)).toEqual([lost]);
  expect(await store.outbox.extendLeases([lost, again], leaseMs)).toEqual([lost]);
  // But that it was begun and may have arrived is on record.
  expect((await store.deliveries.get(lost.id))?.attempts).toMatchObject([{ outcome: 'in-doubt' }]);
  expect((await deliver(store, again)).size).toBe(1);
  expect(await claimOne(store)).toMatchObject({ version: 2 });
});

test('what loses its lease again and again is a dead letter in the end, and the lane moves on', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }));
  for (const _ of schedule) {
    await claimOne(store);
    await query(`update lane set lease_until = now() - interval '1 second'`);
    await store.outbox.reclaim(schedule);
    await query(`update lane set due_at = now() where state = 'ready'`);
  }
  expect(await claimAll(store)).toEqual([]);
  expect(await store.waivers.deliveriesOf('p1', 'w1')).toMatchObject([{ state: 'dead' }]);
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  expect(await claimOne(store)).toMatchObject({ version: 2 });
});

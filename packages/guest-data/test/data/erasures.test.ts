import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '@waiver-service/store';
import { claimAll, deliver, finish, refuse, waiver } from '@waiver-service/store/testing';
import { longTest } from '@waiver-service/testing';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import type { GuestStore } from '../../src/data/guest-store.ts';
import { openOutbox } from '../setup/open-outbox.ts';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const operator = 'credential:1';

async function untilDone(store: GuestStore, id: string): Promise<void> {
  await expect.poll(async () => (await store.guests.erasures.get('p1', id))?.state).toBe('done');
}

async function accepted(store: GuestStore, guest: { waiverId: string } | { email: string }) {
  const result = await store.guests.erasures.request('p1', guest, operator);
  if (result.outcome !== 'accepted') throw new Error(result.outcome);
  return result.erasure;
}

/** Claims until something is due, as a dispatcher would. */
async function claimNext(store: Store) {
  for (;;) {
    const claimed = await claimAll(store);
    if (claimed.length > 0) return claimed;
    await delay(10);
  }
}

async function deliverAll(store: Store) {
  const claimed = await claimNext(store);
  for (const each of claimed) await deliver(store, each);
  return claimed;
}

const guest = { name: 'Ann', email: ' Ann@Example.com ', feedback: 'planted-feedback', notes: 'planted' };

test('from the request on the record cannot be changed, voided, held or signed again', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  const erasure = await accepted(store, { waiverId: 'w1' });
  const look = async () => {
    const changed = await store.waivers.update('p1', 'w1', { answers: { name: 'X' } });
    expect([changed, await store.waivers.void('p1', 'w1')]).toMatchObject(
      Array(2).fill({ outcome: 'not-found' }),
    );
    expect(await store.waivers.create(waiver({ id: 'w1', answers: guest }))).toEqual({ outcome: 'erased' });
    expect(await store.holds.place('p1', 'w1', { reason: 'r', by: 'b' })).toBeUndefined();
  };
  await look();
  await untilDone(store, erasure.id);
  await look();
});

test('destinations that got a record learn that it is gone, without answers; then nothing is left', async () => {
  const { store, query } = await openOutbox();
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  await deliverAll(store);
  // Not notified: it came later.
  await store.webhooks.create('p1', {
    url: 'https://later.example',
    auth: { type: 'none' },
    properties: ['name'],
    signing: false,
  });
  const erasure = await accepted(store, { email: 'ann@EXAMPLE.com' });
  expect(erasure).toMatchObject({ state: 'telling', waivers: 1, heldWaivers: [], askedBy: operator });
  expect(await store.waivers.get('p1', 'w1')).toBeUndefined();
  const delivered = await deliverAll(store);
  expect(delivered.map(({ kind }) => kind).sort()).toEqual(['guest-update', 'guest-webhook']);
  for (const { body } of delivered) {
    expect(body).toContain('"deleted":true');
    expect(body).not.toMatch(/Ann|planted/);
  }
  await untilDone(store, erasure.id);
  expect(await query('select id from delivery')).toEqual([]);
  expect(await query('select delivery from attempt')).toEqual([]);
  expect(await query('select id from ended')).toEqual([]);
  expect(await query('select version from waiver_version')).toEqual([]);
  const [row] = await query('select * from waiver');
  expect(row).toMatchObject({
    id: 'w1',
    answers: '{}',
    booking_id: null,
    booking_guest_id: null,
    deleted: true,
  });
  expect(Buffer.from(String(row?.content_hash)).length).toBe(0);
  expect(await query('select email_hash from erasure')).toEqual([{ email_hash: null }]);
});

test('an erasure that fails does not keep the others waiting', async () => {
  const { store, query } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  await store.waivers.create(waiver({ id: 'w2', answers: guest }));
  await query(`create function refuse() returns trigger language plpgsql as $$
    begin
      if new.id = 'w1' and new.erased_at is not null then raise exception 'refused'; end if;
      return new;
    end $$`);
  await query('create trigger refuse before update on waiver for each row execute function refuse()');
  const first = await accepted(store, { waiverId: 'w1' });
  const second = await accepted(store, { waiverId: 'w2' });
  await untilDone(store, second.id);
  expect((await store.guests.erasures.get('p1', first.id))?.state).toBe('telling');
  await query('drop trigger refuse on waiver');
  await query('update erasure set due_at = now()');
  await untilDone(store, first.id);
});

test('a repeated request gets the same erasure, by the id for ever and by the address while it runs', async () => {
  const { store } = await openOutbox({ installed: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  await deliverAll(store);
  const first = await accepted(store, { email: 'ANN@example.com' });
  expect((await accepted(store, { email: 'ann@example.com' })).id).toBe(first.id);
  expect((await accepted(store, { waiverId: 'w1' })).id).toBe(first.id);
  // The guest signs again meanwhile: that is another record, which only another request erases.
  await store.waivers.create(waiver({ id: 'w2', answers: guest }));
  await deliverAll(store);
  while ((await store.guests.erasures.get('p1', first.id))?.state !== 'done') {
    for (const each of await claimAll(store)) await deliver(store, each);
    await delay(20);
  }
  expect(await store.waivers.get('p1', 'w2')).toMatchObject({ answers: guest });
  const second = await accepted(store, { email: 'ann@example.com' });
  expect(second).toMatchObject({ waivers: 1 });
  expect(second.id).not.toBe(first.id);
  expect((await accepted(store, { waiverId: 'w1' })).id).toBe(first.id);
  expect(await store.guests.erasures.list('p1', { limit: 1 })).toMatchObject({ items: [{ id: second.id }] });
  expect(await store.guests.erasures.request('p1', { waiverId: 'none' }, operator)).toEqual({
    outcome: 'not-found',
  });
});

test('a hold keeps a record from an erasure, which names it', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  await store.waivers.create(waiver({ id: 'w2', answers: guest }));
  const version = (await store.waivers.get('p1', 'w1'))?.version;
  await store.holds.place('p1', 'w1', { reason: 'a claim', by: operator });
  expect(await store.holds.get('p1', 'w1')).toMatchObject({ reason: 'a claim', by: operator });
  expect((await store.waivers.get('p1', 'w1'))?.version).toBe(version);
  expect(await store.guests.erasures.request('p1', { waiverId: 'w1' }, operator)).toEqual({
    outcome: 'held',
    heldWaivers: ['w1'],
  });
  const erasure = await accepted(store, { email: 'ann@example.com' });
  expect(erasure).toMatchObject({ waivers: 1, heldWaivers: ['w1'] });
  await untilDone(store, erasure.id);
  expect(await store.waivers.get('p1', 'w1')).toMatchObject({ answers: guest });
  expect(await store.holds.release('p1', 'w1')).toBe(true);
  expect(await store.holds.get('p1', 'w1')).toBeUndefined();
  await untilDone(store, (await accepted(store, { email: 'ann@example.com' })).id);
  expect(await store.holds.release('p1', 'w1')).toBe(false);
});

test('a message that is being sent is not touched; one that is in doubt loses its answers', async () => {
  const { store, query } = await openOutbox({ installed: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  const [sending] = await claimNext(store);
  if (sending === undefined) throw new Error('nothing is due');
  expect(sending.body).toContain('Ann');
  const erasure = await accepted(store, { waiverId: 'w1' });
  await expect.poll(() => query('select id from delivery')).toHaveLength(2);
  expect(await query(`select id from delivery where id = '${sending.id}'`)).toHaveLength(1);
  // It may have arrived: the same message again first, as far as it may still be sent.
  await finish(store, sending, { kind: 'retry', waitMs: 0, usesAttempt: true }, true);
  const [again] = await claimNext(store);
  expect(again?.id).toBe(sending.id);
  expect(again?.body).not.toMatch(/Ann|planted/);
  if (again) await deliver(store, again);
  await deliverAll(store);
  await untilDone(store, erasure.id);
  expect(await query('select id from delivery')).toEqual([]);
});

test('after seven days of trying all is gone, even if a destination refuses', async () => {
  const { store, query } = await openOutbox({ installed: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  await deliverAll(store);
  const erasure = await accepted(store, { waiverId: 'w1' });
  const [refused] = await claimNext(store);
  if (refused) await refuse(store, refused, 1_000_000);
  await query(`update erasure set give_up_at = now(), due_at = now()`);
  // The job looks every two seconds.
  await expect.poll(() => query('select state from ended where state = $1', ['cancelled'])).toHaveLength(1);
  // Nothing is removed that a slow claim might still take.
  expect(await query('select id from delivery')).toHaveLength(1);
  expect((await store.guests.erasures.get('p1', erasure.id))?.state).toBe('telling');
  await query(`update erasure set due_at = now()`);
  await untilDone(store, erasure.id);
  expect(await query('select id from delivery')).toEqual([]);
});

test('a dead letter is sent again once a day until then', async () => {
  const { store, query } = await openOutbox({ installed: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  await deliverAll(store);
  const erasure = await accepted(store, { waiverId: 'w1' });
  const [dead] = await claimNext(store);
  if (dead) await finish(store, dead, { kind: 'dead' });
  await query('update erasure set due_at = now()');
  await delay(300);
  expect(await query('select state from ended')).toEqual([{ state: 'dead' }]);
  await query(`update attempt set at = at - interval '25 hours'`);
  await query(`update delivery set created_at = created_at - interval '25 hours'`);
  await query('update erasure set due_at = now()');
  const [again] = await claimNext(store);
  expect(again?.id).toBe(dead?.id);
  if (again) await finish(store, again, { kind: 'dead' });
  await query('update erasure set due_at = now()');
  await delay(300);
  expect(await query('select state from ended')).toEqual([{ state: 'dead' }]);
  await query(`update attempt set at = at - interval '25 hours'`);
  await query('update erasure set due_at = now()');
  await deliverAll(store);
  await query('update erasure set due_at = now()');
  await untilDone(store, erasure.id);
});

test('a former booking that did not learn that the record left it is notified again, too', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1', bookingId: 'b1', answers: guest }));
  await deliverAll(store);
  await store.waivers.update('p1', 'w1', { bookingId: 'b2' });
  const [takeback] = await claimNext(store);
  expect(takeback?.bookingId).toBe('b1');
  if (takeback) await finish(store, takeback, { kind: 'dead' });
  await deliverAll(store);
  const erasure = await accepted(store, { waiverId: 'w1' });
  await deliverAll(store);
  await query('update erasure set due_at = now()');
  await delay(300);
  expect(await query('select state from ended')).toEqual([{ state: 'dead' }]);
  await query(`update attempt set at = at - interval '25 hours'`);
  await query(`update delivery set created_at = created_at - interval '25 hours'`);
  await query('update erasure set due_at = now()');
  const [again] = await deliverAll(store);
  expect(again).toMatchObject({ id: takeback?.id, bookingId: 'b1' });
  expect(again?.body).toContain('"deleted":true');
  expect(again?.body).not.toMatch(/Ann|planted/);
  await query('update erasure set due_at = now()');
  await untilDone(store, erasure.id);
  expect(await query('select id from delivery')).toEqual([]);
});

test('where deliveries were pruned, the destinations of the last change are notified', async () => {
  const { store, query } = await openOutbox();
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  await deliverAll(store);
  await query('delete from attempt');
  await query('delete from delivery');
  await query(
    `update waiver set updated_at = now() - interval '91 days', created_at = now() - interval '91 days'`,
  );
  await query(`update destination set created_at = now() - interval '92 days' where kind = 'guest-webhook'`);
  const erasure = await accepted(store, { waiverId: 'w1' });
  expect((await deliverAll(store)).map(({ kind }) => kind)).toEqual(['guest-webhook']);
  await untilDone(store, erasure.id);
});

test('a record that was voided is not taken back once more', async () => {
  const { store } = await openOutbox();
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  await deliverAll(store);
  await store.waivers.void('p1', 'w1');
  await deliverAll(store);
  const erasure = await accepted(store, { waiverId: 'w1' });
  await untilDone(store, erasure.id);
  expect(await claimAll(store)).toEqual([]);
});

test('stored bookings that name the guest go, also without a waiver', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  const save = (bookingId: string, email: string) =>
    store.bookings.save({
      pool: 'p1',
      bookingSystem: 'standard',
      bookingId,
      fetched: {
        form: 'current',
        booking: {
          id: bookingId,
          status: 'Active',
          contact: { name: 'Some', email },
          pax: 1,
          guests: [],
          bookedSessions: [{ startsAt: '2027-01-01T10:00:00Z' }],
        },
        warnings: [],
      },
    });
  await save('b1', 'other@example.com');
  await save('b2', 'Ann@Example.com');
  await save('b3', 'other@example.com');
  await store.waivers.create(waiver({ id: 'w1', bookingId: 'b1', answers: guest }));
  await deliverAll(store);
  const erasure = await accepted(store, { email: 'ann@example.com' });
  const [claimed] = await claimNext(store);
  // Read while the erasure goes on, which a repeated request erases like the first one.
  await save('b2', 'Ann@Example.com');
  expect((await accepted(store, { email: 'ann@example.com' })).id).toBe(erasure.id);
  if (claimed) await deliver(store, claimed);
  await untilDone(store, erasure.id);
  expect(await query('select booking_id from cached_booking')).toEqual([{ booking_id: 'b3' }]);
  const nobody = await accepted(store, { email: 'other@EXAMPLE.com' });
  expect(nobody).toMatchObject({ waivers: 0 });
  await untilDone(store, nobody.id);
  expect(await query('select booking_id from cached_booking')).toEqual([]);
});

test('an export has every record of a guest, and the messages with their destinations', async () => {
  const { store } = await openOutbox();
  await store.waivers.create(waiver({ id: 'w1', answers: { ...guest, name: 'Åsa 李' } }));
  await store.waivers.create(waiver({ id: 'w2', answers: guest }));
  await store.waivers.create(waiver({ id: 'w3', answers: { name: 'Bob', email: 'bob@example.com' } }));
  await deliverAll(store);
  await store.holds.place('p1', 'w2', { reason: 'a claim', by: operator });
  await store.waivers.update('p1', 'w2', { answers: { notes: 'vegan' } });
  const found = [];
  for await (const { record, hold, versions, deliveries } of store.guests.export('p1', {
    email: 'ann@example.com',
  })) {
    const [changes, sent] = [await all(versions), await all(deliveries)];
    found.push({ id: record.id, hold: hold?.reason, versions: changes, sent });
  }
  expect(found).toMatchObject([
    {
      id: 'w1',
      hold: undefined,
      sent: [
        {
          kind: 'guest-update',
          receiver: 'standard',
          state: 'delivered',
          attempts: [{ outcome: 'accepted' }],
        },
        {
          kind: 'guest-webhook',
          receiver: 'https://receiver.example/hook',
          body: { guest: { name: 'Åsa 李' } },
        },
      ],
    },
    {
      id: 'w2',
      hold: 'a claim',
      versions: [
        { version: 2, answers: [{ name: 'notes', kind: 'changed', before: 'planted', after: 'vegan' }] },
        { version: 1 },
      ],
    },
  ]);
  expect(await all(store.guests.export('p1', { waiverId: 'w3' }))).toHaveLength(1);
  expect(await all(store.guests.export('p1', { email: 'nobody@example.com' }))).toEqual([]);
});

test('remains of erased records are listed: the newest erasure first, of one pool', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  for (const id of ['w1', 'w2', 'w3']) await store.waivers.create(waiver({ id, answers: guest }));
  await store.waivers.create(waiver({ id: 'later', answers: {} }));
  await store.waivers.create(waiver({ id: 'theirs', pool: 'p2', answers: {} }));
  await store.guests.erasures.request('p2', { waiverId: 'theirs' }, operator);
  const first = await accepted(store, { email: 'ann@example.com' });
  const second = await accepted(store, { waiverId: 'later' });
  await untilDone(store, first.id);
  await untilDone(store, second.id);
  const found = [];
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await store.guests.erasures.listWaivers('p1', { limit: 2, cursor });
    found.push(...items);
    if (next === null) break;
    cursor = next;
  }
  expect(found.map(({ id, erasureId }) => [id, erasureId])).toEqual([
    ['later', second.id],
    ['w3', first.id],
    ['w2', first.id],
    ['w1', first.id],
  ]);
  expect(found[0]).toMatchObject({ askedBy: operator, askedAt: second.askedAt, erasedAt: expect.any(Date) });
});

test('an address that the guest had before finds the record, also where it was removed', async () => {
  const { store, query } = await openOutbox({ installed: false });
  const idsOf = async (email: string) =>
    (await all(store.guests.export('p1', { email }))).map(({ record }) => record.id);
  for (const id of ['w1', 'w2', 'w3']) await store.waivers.create(waiver({ id, answers: guest }));
  await store.waivers.update('p1', 'w1', { answers: { email: 'new@example.com' } });
  await store.waivers.update('p1', 'w2', { answers: { email: null } });
  await store.waivers.update('p1', 'w3', { answers: { name: 'Same address' } });
  expect(await idsOf('ANN@example.com')).toEqual(['w1', 'w2', 'w3']);
  expect(await idsOf('new@example.com')).toEqual(['w1']);
  // The same address again, and another pool.
  await store.waivers.update('p1', 'w1', { answers: { email: 'ann@example.com' } });
  expect(await idsOf('ann@example.com')).toEqual(['w1', 'w2', 'w3']);
  expect(await idsOf('new@example.com')).toEqual(['w1']);
  await store.pools.put({ id: 'p2', name: 'Two' });
  expect(await all(store.guests.export('p2', { email: 'ann@example.com' }))).toEqual([]);

  const rows = JSON.stringify(await query('select * from former_email'));
  expect(rows).not.toMatch(/ann|new@/i);
  const erasure = await accepted(store, { email: 'new@example.com' });
  expect(erasure).toMatchObject({ waivers: 1 });
  await deliverAll(store);
  await expect.poll(() => query('select waiver_id from former_email')).toEqual([{ waiver_id: 'w2' }]);
  const others = await accepted(store, { email: ' Ann@example.com' });
  expect(others).toMatchObject({ waivers: 2 });
  await expect.poll(() => query('select waiver_id from former_email')).toEqual([]);
});

test('with a record that is found by a former address goes what was confirmed by it', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  const answers = { ...guest, email: 'new@example.com' };
  await store.waivers.update('p1', 'w1', { answers });
  await store.waivers.create(waiver({ id: 'w2', answers, reuseOf: 'w1' }));
  expect(await all(store.guests.export('p1', { email: 'ann@example.com' }))).toHaveLength(2);
  expect(await accepted(store, { email: 'ann@example.com' })).toMatchObject({ waivers: 2 });
});

test('a record that is confirmed while its erasure is asked for goes with the confirmation', async () => {
  const { store, query, url } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  const confirming = new Client({ connectionString: url });
  await confirming.connect();
  await confirming.query('begin');
  await confirming.query(`select from waiver where id = 'w1' for share`);
  const asked = accepted(store, { waiverId: 'w1' });
  await expect
    .poll(() =>
      query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for update of w%'`),
    )
    .toHaveLength(1);
  await store.waivers.create(waiver({ id: 'w2', answers: guest, reuseOf: 'w1' }));
  await confirming.query('commit');
  await confirming.end();
  const erasure = await asked;
  expect(erasure).toMatchObject({ waivers: 2 });
  await untilDone(store, erasure.id);
  expect(await store.waivers.get('p1', 'w2')).toBeUndefined();
});

test('records that retention removes leave no former address', async () => {
  const { store, query } = await openOutbox({ installed: false, webhook: false });
  await store.waivers.create(waiver({ id: 'w1', answers: guest }));
  await store.waivers.update('p1', 'w1', { answers: { email: null } });
  expect(await query('select waiver_id from former_email')).toEqual([{ waiver_id: 'w1' }]);
  await query(`delete from waiver where id = 'w1'`);
  expect(await query('select waiver_id from former_email')).toEqual([]);
});

longTest('more than ten thousand records of a guest are erased by one request', async () => {
  const { store, query } = await openOutbox({ installed: false, webhook: false });
  const answers = JSON.stringify(guest).replaceAll("'", "''");
  await query(`insert into waiver (pool, id, version, activities, last_visit, last_visit_source, answers, content_hash,
      created_at, updated_at, hold_reason)
    select 'p1', 'w' || n, 1, '{}', now(), 'created', '${answers}', '', now(), now(), case when n > 10001 then 'claim' end
    from generate_series(1, 10004) n`);
  const erasure = await accepted(store, { email: 'ann@example.com' });
  expect(erasure).toMatchObject({
    state: 'telling',
    waivers: 10_001,
    heldWaivers: ['w10002', 'w10003', 'w10004'],
  });
  const [left] = await query('select count(*)::integer as n from waiver where erasure is null');
  expect(left).toEqual({ n: 3 });
  expect((await store.guests.erasures.get('p1', erasure.id))?.waivers).toBe(10_001);
  // The job is at it.
  await expect
    .poll(async () => (await query('select from waiver where erased_at is not null limit 1')).length)
    .toBe(1);
});

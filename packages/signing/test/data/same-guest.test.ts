import { untilBlocked } from '@waiver-service/database/testing';
import type { BookingWaiver } from '@waiver-service/store';
import { announceChanges } from '@waiver-service/store/features';
import { fetchedBooking, testKey } from '@waiver-service/store/testing';
import { sql } from 'kysely';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEndBegunJob } from '../../src/data/signing-data.ts';
import type { SigningStore } from '../../src/data/signing-store.ts';
import { type SigningWaivers, signedWaiverId } from '../../src/data/signing-waivers.ts';
import type { NewSigning } from '../../src/data/store-signing.ts';
import { newSigning, publishForm, type SigningGuest } from '../../src/testing/data.ts';
import { openOther, openOutbox } from '../setup/open-test-store.ts';

const keys = [testKey()];

async function open() {
  const opened = await openOutbox({ keys });
  const form = await publishForm(opened.store);
  const { link } = await opened.store.checkInLinks.create('p1', {
    bookingSystem: 'standard',
    bookingId: 'b1',
    bookingGuestId: null,
    expiresAt: null,
    createdBy: 'test',
  });
  return { ...opened, form, link: link.id };
}
type Opened = Awaited<ReturnType<typeof open>>;

const signingOf = ({ form, link }: Opened, guests: readonly SigningGuest[]) =>
  newSigning(form, guests, { link, by: { id: `check-in-link:${link}`, name: null } });

/** A guest finishes the first page, and leaves. @returns the id of the waiver */
async function begin(opened: Opened, guest: SigningGuest, given: Partial<SigningWaivers> = {}) {
  const signing = signingOf(opened, [guest]);
  await opened.store.signings.storePage({ ...signing, currentPage: 'first', ...given });
  return `${signing.id}-1`;
}

/** As a host of an earlier version did. */
async function beginFormerly({ store, link }: Opened, bookingGuestId: string) {
  const id = `${crypto.randomUUID()}-1`;
  const waiver = { id, pool: 'p1', bookingSystem: 'standard', bookingId: 'b1', bookingGuestId };
  await store.waivers.create(
    { ...waiver, currentPage: 'first', answers: { name: 'Ann' } },
    { id: `check-in-link:${link}`, name: null },
  );
  return id;
}

/** The jobs of another host, which run at its start. */
async function runJobs({ url }: Opened) {
  const host = await openOther(url, keys);
  onTestFinished(() => host.close());
}

const messagesOf = async ({ query }: Opened, waiver: string) => {
  const rows = await query(
    `select kind || ' ' || (coalesce(body::json #>> '{waiver,deleted}', body::json #>> '{guest,deleted}')) as said
     from delivery where waiver_id = $1 order by version, kind`,
    [waiver],
  );
  return rows.map(({ said }) => said);
};
const begunOnly = ['guest-webhook false'];
const ended = ['guest-webhook false', 'guest-webhook true'];

const isDeleted = async (store: SigningStore, id: string) => (await store.waivers.get('p1', id))?.deleted;

test('a guest who begins three times and leaves is told to webhooks only, and the signature to all', async () => {
  const opened = await open();
  const left = [1, 2, 3].map(() => begin(opened, { name: 'Ann', bookingGuestId: 'g1' }));
  const ids = await Promise.all(left);
  for (const id of ids) expect(await messagesOf(opened, id)).toEqual(begunOnly);
  const other = await begin(opened, { name: 'Ben', bookingGuestId: 'g2' });
  const signing = signingOf(opened, [{ name: 'Ann', bookingGuestId: 'g1' }]);
  await opened.store.signings.storePage({ ...signing, currentPage: 'first' });
  expect(await opened.store.signings.store(signing)).toMatchObject({ outcome: 'signed' });
  // Signed elsewhere: what was begun has ended.
  for (const id of ids) expect(await messagesOf(opened, id)).toEqual(ended);
  expect(await messagesOf(opened, other)).toEqual(begunOnly);
  expect(await messagesOf(opened, `${signing.id}-1`)).toEqual([
    ...begunOnly,
    'guest-update false',
    'guest-webhook false',
  ]);
});

test('a guest without an id is the same by name, as the search compares it', async () => {
  const opened = await open();
  const same = await begin(opened, { name: 'Seán  O’NEIL' });
  const other = await begin(opened, { name: 'Sean Neil' });
  const nameless = await begin(opened, { name: '?' });
  await opened.store.signings.store(signingOf(opened, [{ name: "sean o'neil" }, { name: '!' }]));
  expect(await isDeleted(opened.store, same)).toBe(true);
  expect(await isDeleted(opened.store, other)).toBe(false);
  expect(await isDeleted(opened.store, nameless)).toBe(false);
});

test('staff who change, attach, detach, void or recover what was begun tell no booking system', async () => {
  const opened = await open();
  const { store, query } = opened;
  const id = await begin(opened, { name: 'Ann', bookingGuestId: 'g1' });
  await store.waivers.update('p1', id, { answers: { name: 'Anne' } });
  await store.waivers.update('p1', id, { bookingId: null });
  await store.waivers.attach({
    booking: { pool: 'p1', bookingSystem: 'standard', bookingId: 'b2' },
    activities: [],
    waivers: [{ id, bookingGuestId: 'g9' }],
    by: undefined,
    refuse: () => undefined,
  });
  await store.waivers.void('p1', id);
  expect(await query(`select from delivery where kind = 'guest-update'`)).toEqual([]);
});

test.each([
  [
    'its link was withdrawn',
    (link: string) => `update check_in_link set revoked_at = now() where id = '${link}'`,
  ],
  [
    'its link has expired',
    (link: string) => `update check_in_link set expires_at = now() where id = '${link}'`,
  ],
  ['its link is gone', (link: string) => `delete from check_in_link where id = '${link}'`],
  [
    'the visit was a day ago',
    () =>
      `update waiver set last_visit = now() - interval '25 hours', updated_at = now() - interval '25 hours'`,
  ],
])('what was begun ends when %s', async (_when, statement) => {
  const opened = await open();
  const id = await begin(opened, { name: 'Ann', bookingGuestId: 'g1' });
  await runJobs(opened);
  expect(await isDeleted(opened.store, id)).toBe(false);
  await opened.query(statement(opened.link));
  await runJobs(opened);
  await expect.poll(() => isDeleted(opened.store, id)).toBe(true);
  expect(await messagesOf(opened, id)).toEqual(ended);
});

test('it ends when an app stores that its guest has signed', async () => {
  const opened = await open();
  const id = await begin(opened, { name: 'Ann', bookingGuestId: 'g1' });
  const signed = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1', bookingGuestId: 'g1' };
  await opened.store.waivers.create(signed);
  await runJobs(opened);
  await expect.poll(() => isDeleted(opened.store, id)).toBe(true);
});

test('what an earlier version has told is not sent again, and is taken back once when it ends', async () => {
  const opened = await open();
  const { store, query, link } = opened;
  const id = await beginFormerly(opened, 'g1');
  const app = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1', bookingGuestId: 'g2' };
  await store.waivers.create({ ...app, id: 'by an app', currentPage: 'first' });
  await runJobs(opened);
  const marked = () => query(`select id from waiver where begun = 'told'`);
  await expect.poll(marked).toEqual([{ id }]);
  const [told] = await query(`select id from delivery where waiver_id = $1 and kind = 'guest-update'`, [id]);
  const waiting = () => query('select from pending where id = $1', [told?.id]);
  await expect.poll(waiting).toEqual([]);
  await store.deliveries.retry(String(told?.id));
  expect(await waiting()).toEqual([]);
  await query(`update check_in_link set revoked_at = now() where id = $1`, [link]);
  await runJobs(opened);
  await expect.poll(() => isDeleted(store, id)).toBe(true);
  await runJobs(opened);
  expect(await messagesOf(opened, id)).toEqual([
    'guest-update false',
    'guest-webhook false',
    'guest-update true',
    'guest-webhook true',
  ]);
  expect(await isDeleted(store, 'by an app')).toBe(false);
});

test('who knows the id of an unfinished signing cannot rewrite it by another link', async () => {
  const opened = await open();
  const { store } = opened;
  const id = await begin(opened, { name: 'Ann', bookingGuestId: 'g1' });
  const given = { id: id.slice(0, -2), link: 'another', by: { id: 'check-in-link:another', name: null } };
  const foreign = newSigning(opened.form, [{ name: 'Eve', bookingGuestId: 'g1' }], given);
  expect(await store.signings.storePage({ ...foreign, currentPage: 'second' })).toBe('id-taken');
  expect(await store.signings.store(foreign)).toEqual({ outcome: 'id-taken' });
  expect(await store.waivers.get('p1', id)).toMatchObject({ version: 1, answers: { name: 'Ann' } });
  // Nor a waiver that an app has stored.
  const api = crypto.randomUUID();
  await store.waivers.create({ pool: 'p1', id: `${api}-1`, answers: { name: 'Ben' } });
  expect(await store.signings.store(signingOf(opened, [{ name: 'Eve' }]))).toMatchObject({
    outcome: 'signed',
  });
  const overApi = { ...signingOf(opened, [{ name: 'Eve' }]), id: api };
  expect(await store.signings.storePage({ ...overApi, currentPage: 'first' })).toBe('id-taken');
  expect(await store.waivers.get('p1', `${api}-1`)).toMatchObject({ answers: { name: 'Ben' } });
});

test('the id of another pool’s signing is a plain conflict, whatever its state', async () => {
  const opened = await open();
  const { store } = opened;
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  const begun = await begin(opened, { name: 'Ann' });
  const voided = await begin(opened, { name: 'Ben' });
  await store.waivers.void('p1', voided);
  for (const id of [begun, voided]) {
    const other = { ...signingOf(opened, [{ name: 'Eve' }]), id: id.slice(0, -2), pool: 'p2' };
    expect(await store.signings.storePage({ ...other, currentPage: 'first' })).toBe('id-taken');
    expect(await store.signings.store(other)).toEqual({ outcome: 'id-taken' });
  }
});

test('what has ended is found by its booking, however many waivers the pool has', async () => {
  const opened = await open();
  await Promise.all(Array.from({ length: 10 }, (_, place) => begin(opened, { name: `Ann ${place}` })));
  await opened.query(`
insert into waiver (pool, id, version, booking_system, booking_id, activities, last_visit, last_visit_source, answers,
  content_hash, created_at, updated_at)
select 'p1', 'signed ' || n, 1, 'standard', 'other ' || n, '{}', now(), 'created', '{"name":"Bo"}', '', now(), now()
from generate_series(1, 2000) n`);
  await opened.query('analyze waiver');
  const { context } = opened.store;
  const fetched = await context.database.transaction().execute(async (transaction) => {
    await createEndBegunJob(transaction, announceChanges(context), 1_000).runBatch();
    const { rows } = await sql<{ rows: number }>`
select (seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_xact_user_tables where relname = 'waiver'`.execute(
      transaction,
    );
    return rows[0]?.rows;
  });
  expect(fetched).toBeGreaterThan(0);
  expect(fetched).toBeLessThan(1_000);
});

describe('signings for the same guest', () => {
  class HasSigned extends Error {}

  async function open() {
    const opened = await openOutbox();
    return { ...opened, form: await publishForm(opened.store) };
  }

  /** A signing of a guest that is refused if anyone has signed for them. */
  function signingOf(form: string, bookingGuestId: string, bookingId = 'b1'): NewSigning {
    const signing = newSigning(form, [{ name: 'Ann', bookingGuestId }]);
    return {
      ...signing,
      waivers: signing.waivers.map((waiver) => ({ ...waiver, bookingId })),
      requireNotSigned(waivers: readonly BookingWaiver[]) {
        if (waivers.some((waiver) => waiver.bookingGuestId === bookingGuestId)) throw new HasSigned();
      },
    };
  }

  const outcomeOf = (result: PromiseSettledResult<{ readonly outcome: string }>) =>
    result.status === 'fulfilled' ? result.value.outcome : result.reason.constructor.name;

  test('of four signings for one guest, under several ids of the booking, one is stored', async () => {
    const { store, form, query } = await open();
    await query(`
insert into booking_alias (pool, booking_system, alias, booking_id, prune_at)
values ('p1', 'standard', 'alias 1', 'b1', now() + interval '1 day'), ('p1', 'standard', 'alias 2', 'b1', now() + interval '1 day')`);
    for (let round = 0; round < 10; round += 1) {
      const ids = ['b1', 'alias 1', 'alias 2', 'b1'];
      const results = await Promise.allSettled(
        ids.map((id) => store.signings.store(signingOf(form, `g${round}`, id))),
      );
      expect(results.map(outcomeOf).toSorted()).toEqual(['HasSigned', 'HasSigned', 'HasSigned', 'signed']);
    }
  });

  test('a guest of a booking does not wait for another one', async () => {
    const { store, form, url } = await open();
    const blocking = new Client({ connectionString: url });
    await blocking.connect();
    await blocking.query('begin');
    await blocking.query(
      `select pg_advisory_xact_lock(hashtextextended(json_build_array('guest', 'p1', 'standard', 'b1', 'g1')::text, 0))`,
    );
    const waiting = store.signings.store(signingOf(form, 'g1'));
    expect((await store.signings.store(signingOf(form, 'g2'))).outcome).toBe('signed');
    expect(
      (await store.waivers.forBooking({ pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' })).length,
    ).toBe(1);
    await blocking.query('commit');
    await blocking.end();
    expect((await waiting).outcome).toBe('signed');
  });

  test('a waiver that staff attach to a guest and that guest’s signing are not both stored', async () => {
    const { store, form } = await open();
    const booking = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' };
    for (let round = 0; round < 10; round += 1) {
      const bookingGuestId = `g${round}`;
      const made = await store.waivers.create({ pool: 'p1', id: `walk-in ${round}` });
      expect(made.outcome).toBe('created');
      const results = await Promise.allSettled([
        store.waivers.attach({
          booking,
          activities: [],
          waivers: [{ id: `walk-in ${round}`, bookingGuestId }],
          by: undefined,
          refuse: (waivers) =>
            waivers.some((waiver) => waiver.bookingGuestId === bookingGuestId) || undefined,
        }),
        store.signings.store(signingOf(form, bookingGuestId)),
      ]);
      expect(results.map(outcomeOf).toSorted()).toEqual(
        outcomeOf(results[0]) === 'attached' ? ['HasSigned', 'attached'] : ['refused', 'signed'],
      );
    }
  });

  test.each([1, 2])('a guest who signs while the booking moves has the new visit (%i)', async (order) => {
    const { store, form, query, url } = await open();
    const booking = { pool: 'p1', bookingSystem: 'standard', bookingId: 'b1' };
    const moved = fetchedBooking({
      bookedSessions: [{ startsAt: '2026-05-01T14:00:00Z', activityId: 'raft', activityName: 'Rafting' }],
    });
    await store.bookings.save({ ...booking, fetched: fetchedBooking() });
    // So that the day has a row, which the next signing waits for last.
    await store.signings.store(signingOf(form, 'g1'));
    const blocking = new Client({ connectionString: url });
    await blocking.connect();
    await blocking.query('begin');
    const signing = signingOf(form, 'g2');
    const toDo = [
      () => store.signings.store(signing),
      () => store.bookings.save({ ...booking, fetched: moved }),
    ];
    await blocking.query(
      order === 1 ? 'select from guest_budget for update' : 'select from cached_booking for share',
    );
    const [first, second] = order === 1 ? toDo : toDo.toReversed();
    const doing = [first?.()];
    await untilBlocked(query);
    doing.push(second?.());
    // Until it is done, or waits for the first.
    await Promise.race([doing[1], untilBlocked(query, 2)]);
    await blocking.query('commit');
    await blocking.end();
    await Promise.all(doing);
    expect(await store.waivers.get('p1', signedWaiverId(signing.id, 0))).toMatchObject({
      lastVisit: new Date('2026-05-01T14:00:00Z'),
    });
  });
});

import { MalformedCursor } from '@waiver-service/database';
import { maxAnswersBytes } from '@waiver-service/waivers';
import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import {
  claimAll,
  claimOne,
  deliver,
  fetchedBooking,
  waiver,
  webhookSettings,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox, standard } from '../setup/open-test-store.ts';
import { readPages } from '../setup/read-pages.ts';

const sessions = [
  {
    startsAt: '2026-06-02T10:00:00Z',
    endsAt: '2026-06-02T11:00:00Z',
    activityId: 'raft',
    activityName: 'Raft',
  },
  {
    startsAt: '2026-06-01T10:00:00Z',
    endsAt: '2026-06-01T11:00:00Z',
    activityId: 'kayak',
    activityName: 'Kayak',
  },
];
const fetched = (bookingId: string) => ({
  ...standard,
  bookingId,
  fetched: fetchedBooking({ id: bookingId, bookedSessions: sessions }),
});

test('a repeated create returns the record, also after changes; other content or another pool’s id is a conflict', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  const given = waiver({ id: 'w1', answers: { name: 'Ann', height: 1 } });
  expect(await store.waivers.create(given)).toMatchObject({ outcome: 'created', record: { version: 1 } });
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  const repeated = await store.waivers.create({ ...given, answers: { height: 1, name: 'Ann' } });
  expect(repeated).toMatchObject({ outcome: 'same', record: { version: 2, currentPage: 'two' } });
  expect(await store.waivers.create({ ...given, currentPage: 'x' })).toEqual({
    outcome: 'exists-differently',
  });
  expect(await store.waivers.create({ ...given, pool: 'p2' })).toEqual({ outcome: 'held-by-other-pool' });
  expect(await store.waivers.create(waiver({ pool: 'nowhere' }))).toEqual({ outcome: 'unknown-pool' });
  expect(await store.waivers.get('p2', 'w1')).toBeUndefined();
  expect(await store.waivers.get('nowhere', 'w1')).toBeUndefined();
});

test('a record is read, changed and voided only through its own pool', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await store.waivers.create(waiver({ id: 'w1' }));
  const before = await store.waivers.get('p1', 'w1');
  expect(await store.waivers.get('p2', 'w1')).toBeUndefined();
  expect(await store.waivers.update('p2', 'w1', { currentPage: 'theirs' })).toEqual({ outcome: 'not-found' });
  expect(await store.waivers.update('p2', 'w1', { answers: { name: null } })).toEqual({
    outcome: 'not-found',
  });
  expect(await store.waivers.void('p2', 'w1')).toEqual({ outcome: 'not-found' });
  expect(await store.waivers.get('p1', 'w1')).toEqual(before);
});

test('twenty concurrent changes of one record make twenty versions, each later than the one before', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1', answers: {} }));
  const steps = Array.from({ length: 20 }, (_, place) => `${place}`);
  const outcomes = await Promise.all(
    steps.map((step) => store.waivers.update('p1', 'w1', { answers: { [`answer${step}`]: step } })),
  );
  const records = outcomes.flatMap((each) => (each.outcome === 'updated' ? [each.record] : []));
  records.sort((first, second) => first.version - second.version);
  expect(records.map(({ version }) => version)).toEqual(steps.map((_, place) => place + 2));
  const times = records.map(({ updatedAt }) => updatedAt.getTime());
  expect(new Set(times).size).toBe(20);
  expect(times).toEqual(times.toSorted((first, second) => first - second));
  expect(Object.keys((await store.waivers.get('p1', 'w1'))?.answers ?? {})).toHaveLength(20);
  // Every stored version left its delivery.
  expect(await query(`select count(*)::int as count, max(version) as last from delivery`)).toEqual([
    { count: 21, last: 21 },
  ]);
});

test('lastVisit is the given one, else of the guest’s own sessions, else of any session, else the creation', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.bookings.save(fetched('b1'));
  const visit = async (given: Parameters<typeof waiver>[0]) => {
    const result = await store.waivers.create(waiver(given));
    return result.outcome === 'created' ? result.record : undefined;
  };
  const given = new Date('2026-07-01T00:00:00Z');
  expect((await visit({ lastVisit: given }))?.lastVisit).toEqual(given);
  expect((await visit({ activities: ['raft'] }))?.lastVisit).toEqual(new Date('2026-06-02T10:00:00Z'));
  expect((await visit({ activities: ['other'] }))?.lastVisit).toEqual(new Date('2026-06-01T10:00:00Z'));
  const elsewhere = await visit({ bookingSystem: 'other' });
  expect(elsewhere?.lastVisit).toEqual(elsewhere?.createdAt);
  const unread = await visit({ id: 'unread', bookingId: 'b9' });
  expect(unread?.lastVisit).toEqual(unread?.createdAt);
  await store.waivers.update('p1', 'unread', { bookingId: 'b1' });
  expect((await store.waivers.get('p1', 'unread'))?.lastVisit).toEqual(new Date('2026-06-01T10:00:00Z'));
});

test('lists page through every record in the order of changes, filtered by booking or time', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  for (let place = 0; place < 7; place += 1) {
    await store.waivers.create(waiver({ id: `w${place}`, bookingId: `b${place % 2}` }));
  }
  await store.waivers.update('p1', 'w0', { currentPage: 'x' });
  const pages = await readPages((cursor) => store.waivers.list('p1', { limit: 3, cursor }));
  expect(pages.flat().map(({ id }) => id)).toEqual(['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w0']);
  const odd = await store.waivers.list('p1', { limit: 100, bookingId: 'b1' });
  expect(odd.items.map(({ id }) => id)).toEqual(['w1', 'w3', 'w5']);
  const since = (await store.waivers.get('p1', 'w6'))?.updatedAt;
  const late = await store.waivers.list('p1', { limit: 100, updatedSince: since });
  expect(late.items.map(({ id }) => id)).toContain('w0');
  expect(late.items.map(({ id }) => id)).not.toContain('w1');
  await expect(store.waivers.list('p1', { limit: 3, cursor: 'nonsense!' })).rejects.toThrow(/cursor/);
  const ofBooking = async () => {
    const booking = { ...standard, bookingId: 'b1' };
    return (await store.waivers.forBooking(booking)).map(({ id }) => id);
  };
  expect(await ofBooking()).toEqual(['w1', 'w3', 'w5']);
  await store.waivers.void('p1', 'w1');
  expect(await ofBooking()).toEqual(['w3', 'w5']);
});

test('records changed in the same millisecond are each listed once, and updatedSince is inclusive', async () => {
  const { store, query } = await openOutbox({ installed: false, webhook: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  for (const id of ['w1', 'w2', 'w3']) await store.waivers.create(waiver({ id }));
  await store.waivers.create(waiver({ id: 'other', pool: 'p2' }));
  const changedAt = new Date('2026-05-01T12:00:00.123Z');
  await query('update waiver set updated_at = $1', [changedAt]);
  const first = await store.waivers.list('p1', { limit: 2 });
  const rest = await store.waivers.list('p1', { limit: 2, cursor: first.next ?? '' });
  expect([first, rest].map(({ items }) => items.map(({ id }) => id))).toEqual([['w1', 'w2'], ['w3']]);
  const since = async (ms: number) => {
    const updatedSince = new Date(changedAt.getTime() + ms);
    return (await store.waivers.list('p1', { limit: 10, updatedSince })).items.length;
  };
  expect([await since(0), await since(1)]).toEqual([3, 0]);
});

test('ids with any characters are stored and sent unchanged', async () => {
  const { store } = await openOutbox();
  const id = `${'/?#%+ "\\\'😀'.repeat(8)}\u0001`;
  await store.waivers.create(waiver({ id, answers: { name: '\u2028"\\' } }));
  for (const { body, waiverId } of await claimAll(store)) {
    expect(waiverId).toBe(id);
    expect(Object.values<{ id: string }>(JSON.parse(body))[0]?.id).toBe(id);
  }
});

test('a change is sent only to the webhooks of its own pool', async () => {
  const { store, endpoint } = await openOutbox({ installed: false });
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await store.webhooks.create('p2', webhookSettings);
  await store.waivers.create(waiver({ id: 'w1' }));
  const claimed = await claimAll(store);
  expect(claimed.map(({ destination }) => destination)).toEqual([endpoint?.endpoint.destinationId]);
});

test('a change is not sent to a booking system that awaits approval', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  await query(`update installation set status = 'pending'`);
  await store.waivers.create(waiver({ id: 'w1' }));
  expect(await store.waivers.deliveriesOf('p1', 'w1')).toEqual([]);
});

/** Answers of so many bytes, as JSON in UTF-8. */
function answersOf(bytes: number, name = 'own') {
  const empty = Buffer.byteLength(JSON.stringify({ name: 'Ann', [name]: '' }));
  return { name: 'Ann', [name]: 'é'.repeat((bytes - empty) >> 1) + 'x'.repeat((bytes - empty) & 1) };
}

test('a record begins with 256 KiB of answers at most', async () => {
  const { store } = await openOutbox({ installed: false, webhook: false });
  const create = (bytes: number) => store.waivers.create(waiver({ answers: answersOf(bytes) }));
  expect(await create(maxAnswersBytes)).toMatchObject({ outcome: 'created' });
  expect(await create(maxAnswersBytes + 1)).toEqual({ outcome: 'answers-too-large' });
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

/** The messages of a record in the order of sending: the guest's id, and whether it is taken back. */
async function sendAll(store: Store): Promise<string[]> {
  const sent: string[] = [];
  for (let claimed = await claimAll(store); claimed.length > 0; claimed = await claimAll(store)) {
    for (const each of claimed) {
      const { bookingId, bookingGuestId = 'nobody', deleted } = JSON.parse(each.body).waiver;
      sent.push(`${deleted ? 'take back' : 'write'} ${bookingId} ${bookingGuestId}`);
      await deliver(store, each);
    }
  }
  return sent;
}

test.each(['waiver', 'booking'] as const)(
  'a waiver that moves to another guest is taken back from the former one first (lanes by %s)',
  async (writeUnit) => {
    const { store } = await openOutbox({ webhook: false, writeUnit });
    await store.waivers.create(waiver({ id: 'w1', bookingGuestId: 'g1' }));
    await deliver(store, await claimOne(store));
    const moved = await store.waivers.update('p1', 'w1', { bookingGuestId: 'g2' });
    expect(moved).toMatchObject({ outcome: 'updated', record: { version: 3, bookingGuestId: 'g2' } });
    expect(await sendAll(store)).toEqual(['take back b1 g1', 'write b1 g2']);
    await store.waivers.update('p1', 'w1', { bookingGuestId: null });
    expect(await sendAll(store)).toEqual(['take back b1 g2', 'write b1 nobody']);
  },
);

const ada = { id: 'credential:c1', name: 'Ada' };
const versionsOf = async (store: Store, id = 'w1') =>
  (await store.waivers.versionsOf('p1', id, { limit: 100 })).items;

test('each version says what changed, who made it and when', async () => {
  const { store } = await openOutbox();
  const token = await store.accessTokens.create('p1', { name: 'Check-in desk' });
  const app = { id: `access-token:${token.id}`, name: null };
  await store.waivers.create(waiver({ id: 'w1', currentPage: 'one' }), app);
  await store.waivers.update('p1', 'w1', { currentPage: null, answers: { notes: 'a' } }, { by: app });
  await store.waivers.update('p1', 'w1', { answers: { notes: 'b', name: 'Ann' } }, { by: ada });
  await store.waivers.void('p1', 'w1');
  const record = await store.waivers.get('p1', 'w1');
  expect(await versionsOf(store)).toEqual([
    {
      version: 4,
      formerVersion: 3,
      at: record?.updatedAt,
      fields: [{ field: 'deleted', before: false, after: true }],
      answers: [],
    },
    {
      version: 3,
      formerVersion: 2,
      at: expect.any(Date),
      actor: ada.id,
      actorName: 'Ada',
      fields: [],
      answers: [{ name: 'notes', kind: 'changed', before: 'a', after: 'b' }],
    },
    {
      version: 2,
      formerVersion: 1,
      at: expect.any(Date),
      actor: app.id,
      actorName: 'Check-in desk',
      fields: [{ field: 'currentPage', before: 'one', after: null }],
      answers: [{ name: 'notes', kind: 'added', after: 'a' }],
    },
    {
      version: 1,
      formerVersion: 0,
      at: record?.createdAt,
      actor: app.id,
      actorName: 'Check-in desk',
      fields: [],
      answers: [],
    },
  ]);
});

test('a move to another booking is one change that makes two versions', async () => {
  const { store } = await openOutbox();
  await store.waivers.create(waiver({ id: 'w1' }));
  await store.waivers.update('p1', 'w1', { bookingId: 'b2', bookingGuestId: null }, { by: ada });
  const [moved] = await versionsOf(store);
  expect(moved).toMatchObject({
    version: 3,
    formerVersion: 1,
    fields: [
      { field: 'bookingId', before: 'b1', after: 'b2' },
      { field: 'bookingGuestId', before: 'g1', after: null },
    ],
  });
  const sent = await store.waivers.deliveriesOf('p1', 'w1');
  expect(sent.map(({ version }) => version)).toEqual([3, 3, 2, 1, 1]);
});

test('a waiver that follows its booking says so', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver({ id: 'w1' }), ada);
  await store.bookings.save({
    ...standard,
    bookingId: 'b1',
    fetched: {
      form: 'current',
      booking: {
        id: 'b1',
        status: 'Active',
        contact: { name: 'Bo' },
        pax: 1,
        guests: [{ id: 'g1', name: 'Ann' }],
        bookedSessions: [{ startsAt: '2026-06-01T10:00:00Z', activityId: 'raft', activityName: 'Raft' }],
      },
      warnings: [],
    },
  });
  await expect
    .poll(async () => (await versionsOf(store))[0])
    .toMatchObject({
      version: 2,
      actor: 'booking-system:standard',
      fields: [{ field: 'lastVisit', after: '2026-06-01T10:00:00.000Z' }],
    });
});

test('the values of a removed answer are gone from every version, those of others stay', async () => {
  const { store, query } = await openOutbox();
  await store.waivers.create(waiver({ id: 'w1' }));
  await store.waivers.create(waiver({ id: 'w2' }));
  for (const id of ['w1', 'w2']) {
    await store.waivers.update('p1', id, { answers: { notes: 'secret one', height: 170 } });
    await store.waivers.update('p1', id, { answers: { notes: 'secret two' } });
  }
  await store.waivers.update('p1', 'w1', { answers: { notes: null } });
  expect((await versionsOf(store)).map(({ answers }) => answers)).toEqual([
    [{ name: 'notes', kind: 'removed' }],
    [{ name: 'notes', kind: 'changed' }],
    [
      { name: 'notes', kind: 'added' },
      { name: 'height', kind: 'added', after: 170 },
    ],
    [],
  ]);
  expect((await versionsOf(store, 'w2'))[0]?.answers).toMatchObject([{ name: 'notes', after: 'secret two' }]);
  await query(`delete from waiver where id = 'w2'`);
  expect(await query(`select version from waiver_version where waiver_id = 'w2'`)).toEqual([]);
});

test('versions come in pages, keep to their pool, and refuse a foreign cursor', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.pools.put({ id: 'p2', name: 'Two' });
  await store.waivers.create(waiver({ id: 'w1' }));
  for (const currentPage of ['a', 'b']) await store.waivers.update('p1', 'w1', { currentPage });
  const first = await store.waivers.versionsOf('p1', 'w1', { limit: 2 });
  expect(first.items.map(({ version }) => version)).toEqual([3, 2]);
  const rest = await store.waivers.versionsOf('p1', 'w1', { limit: 2, cursor: first.next ?? '' });
  expect(rest).toMatchObject({ items: [{ version: 1 }], next: null });
  expect(await store.waivers.versionsOf('p2', 'w1', { limit: 2 })).toEqual({ items: [], next: null });
  const foreign = Buffer.from('["x"]').toString('base64url');
  await expect(store.waivers.versionsOf('p1', 'w1', { limit: 1, cursor: foreign })).rejects.toThrow(
    MalformedCursor,
  );
});

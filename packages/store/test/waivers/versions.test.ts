import { MalformedCursor } from '@waiver-service/database';
import { expect, test } from 'vitest';
import type { Store } from '../../src/index.ts';
import { waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

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
    pool: 'p1',
    bookingSystem: 'standard',
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

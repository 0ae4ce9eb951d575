import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/index.ts';
import { claimAll, waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';
import { openSession } from '../setup/open-session.ts';
import { testKey } from '../setup/open-test-store.ts';

const ids = Array.from({ length: 100 }, (_, place) => `w${place}`);

async function signedAll(options: Parameters<typeof openOutbox>[0] = { webhook: false }) {
  const opened = await openOutbox(options);
  await Promise.all(
    ids.map((id, place) => opened.store.waivers.create(waiver({ id, bookingId: `b${place % 7}` }))),
  );
  return opened;
}

test.each(['waiver', 'booking'] as const)(
  'concurrent changes of many records are all stored and sent, lanes by %s',
  async (writeUnit) => {
    const { store, query } = await signedAll({ writeUnit });
    const changes = ids.flatMap((id) => [1, 2, 3].map((page) => ({ id, page })));
    const results = await Promise.all(
      changes.map(({ id, page }) => store.waivers.update('p1', id, { currentPage: `${page}` })),
    );
    expect(results.filter(({ outcome }) => outcome !== 'updated')).toEqual([]);
    expect(await query('select count(*)::int as n from waiver where version = 4')).toEqual([{ n: 100 }]);
    // Each caller was answered with its own change, at its own version.
    const versions = results.map((result) => ('record' in result ? result.record.version : 0));
    expect(versions.toSorted()).toEqual(ids.flatMap(() => [2, 3, 4]).toSorted());
    expect(results.map((result) => 'record' in result && result.record.currentPage)).toEqual(
      changes.map(({ page }) => `${page}`),
    );
    expect(await query('select count(*)::int as n from delivery')).toEqual([{ n: 800 }]);
    const waiting = await query(
      `select version, count(*)::int as n from pending join delivery using (id) group by 1`,
    );
    expect(waiting).toEqual([{ version: 4, n: 200 }]);
  },
);

test('concurrent changes each have an outcome, and one that cannot be stored fails without the others', async () => {
  const { store } = await signedAll();
  await store.waivers.void('p1', 'w1');
  const [gone, voided, refused, ...others] = await Promise.allSettled([
    store.waivers.update('p1', 'nobody', { currentPage: 'x' }),
    store.waivers.update('p1', 'w1', { currentPage: 'x' }),
    store.waivers.update('p1', 'w2', { currentPage: 'no\u0000text' }),
    ...ids.slice(3).map((id) => store.waivers.update('p1', id, { currentPage: 'x' })),
  ]);
  expect(gone).toMatchObject({ value: { outcome: 'not-found' } });
  expect(voided).toMatchObject({ value: { outcome: 'voided' } });
  expect(refused?.status).toBe('rejected');
  expect(others.map((other) => other.status === 'fulfilled' && other.value.outcome)).toEqual(
    ids.slice(3).map(() => 'updated'),
  );
  expect(await store.waivers.get('p1', 'w2')).toMatchObject({ version: 1 });
});

test('a record locked by another transaction does not delay the others', async () => {
  const { store, url } = await signedAll();
  const client = await openSession(url);
  await client.query('begin');
  await client.query(`select from waiver where id = 'w1' for update`);
  const held = store.waivers.update('p1', 'w1', { currentPage: 'x' });
  for (const id of ids.slice(2, 20)) {
    expect(await store.waivers.update('p1', id, { currentPage: 'x' })).toMatchObject({ outcome: 'updated' });
  }
  await client.query('commit');
  expect(await held).toMatchObject({ outcome: 'updated' });
  expect((await claimAll(store)).find(({ waiverId }) => waiverId === 'w1')).toMatchObject({ version: 2 });
});

test('waivers created concurrently share a few commits, and each has its own record and messages', async () => {
  const { store, query } = await openOutbox();
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  const given = ids.map((id, place) =>
    waiver({ id, pool: place % 10 === 9 ? 'p2' : 'p1', bookingId: `b${place % 7}`, answers: { name: id } }),
  );
  const results = await Promise.all(given.map((each) => store.waivers.create(each)));
  expect(results.map((result) => 'record' in result && [result.outcome, result.record.answers])).toEqual(
    ids.map((id) => ['created', { name: id }]),
  );
  const stored = await query('select id, pool, booking_id, answers from waiver');
  expect(new Set(stored.map((row) => JSON.stringify(row)))).toEqual(
    new Set(
      given.map(({ id, pool, bookingId, answers }) =>
        JSON.stringify({ id, pool, booking_id: bookingId, answers: JSON.stringify(answers) }),
      ),
    ),
  );
  // A lone one goes at once, the others together after it.
  const [commits] = await query('select count(distinct xmin::text)::int as n from waiver');
  expect(commits?.n).toBeLessThan(20);
  expect(await query('select kind, count(*)::int as n from delivery group by kind order by kind')).toEqual([
    { kind: 'guest-update', n: 90 },
    { kind: 'guest-webhook', n: 90 },
  ]);
});

test('concurrent creates each have an outcome, and one that cannot be stored fails without the others', async () => {
  const { store } = await signedAll();
  await store.pools.put({ id: 'p2', name: 'Pool 2' });
  await store.waivers.create(waiver({ id: 'theirs', pool: 'p2' }));
  const [same, different, theirs, nowhere, refused, invalid, ...others] = await Promise.allSettled([
    store.waivers.create(waiver({ id: 'w1', bookingId: 'b1' })),
    store.waivers.create(waiver({ id: 'w2', bookingId: 'b1' })),
    store.waivers.create(waiver({ id: 'theirs' })),
    store.waivers.create(waiver({ pool: 'nowhere' })),
    store.waivers.create(waiver({ id: 'refused', currentPage: 'no\u0000text' })),
    store.waivers.create(waiver({ id: 'invalid', lastVisit: new Date(Number.NaN) })),
    ...ids.map((id) => store.waivers.create(waiver({ id: `new-${id}` }))),
  ]);
  expect(same).toMatchObject({ value: { outcome: 'same', record: { id: 'w1', version: 1 } } });
  expect(different).toMatchObject({ value: { outcome: 'exists-differently' } });
  expect(theirs).toMatchObject({ value: { outcome: 'held-by-other-pool' } });
  expect(nowhere).toMatchObject({ value: { outcome: 'unknown-pool' } });
  expect([refused?.status, invalid?.status]).toEqual(['rejected', 'rejected']);
  expect(others.map((other) => other.status === 'fulfilled' && other.value.outcome)).toEqual(
    ids.map(() => 'created'),
  );
  expect(await store.waivers.get('p1', 'refused')).toBeUndefined();
});

test('two hosts that create the same waivers concurrently, in opposite orders, create each once', async () => {
  const key = testKey();
  const { store, url, query } = await openOutbox({ keys: [key] });
  const other = await openStore({ databaseUrl: url, encryptionKeys: [key] });
  onTestFinished(() => other.close());
  const given = ids.map((id) => waiver({ id }));
  const outcomes = await Promise.all([
    ...given.map((each) => store.waivers.create(each)),
    ...given.toReversed().map((each) => other.waivers.create(each)),
  ]);
  const count = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  expect([count('created'), count('same')]).toEqual([100, 100]);
  expect(await query('select count(*)::int as n from delivery')).toEqual([{ n: 200 }]);
});

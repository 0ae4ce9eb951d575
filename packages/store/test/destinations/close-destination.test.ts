import { untilBlocked } from '@waiver-service/database/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../../src/index.ts';
import {
  claimAll,
  claimOne,
  deliver,
  finish,
  install,
  storedDeliveries,
  waiver,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox, openTransaction, standard, testKey } from '../setup/open-test-store.ts';

const ids = Array.from({ length: 40 }, (_, place) => `w${place}`);

const signAll = (store: Store) => Promise.all(ids.map((id) => store.waivers.create(waiver({ id }))));

const shownStates = async (store: Store, id: string) =>
  (await store.waivers.deliveriesOf('p1', id)).map(({ state }) => state);

const cancelledIds = async (store: Store) =>
  (await store.deliveries.list({ state: 'cancelled' }, { limit: 100 })).items
    .map(({ waiverId }) => waiverId)
    .toSorted();

test('an uninstall is quick however much waits; messages are shown as cancelled at once, and recorded so later', async () => {
  const { store, url, query } = await openOutbox({ webhook: false });
  await signAll(store);
  const other = await openTransaction(url, 'select from pending order by id for update');
  expect(await store.installations.uninstall(standard)).toEqual({
    outcome: 'uninstalled',
  });
  expect(await query(`select distinct state from ${storedDeliveries}`)).toEqual([{ state: 'waiting' }]);
  expect(await shownStates(store, 'w1')).toEqual(['cancelled']);
  expect(await cancelledIds(store)).toEqual(ids.toSorted());
  const first = await store.deliveries.list({ state: 'cancelled' }, { limit: 30 });
  const rest = await store.deliveries.list({ state: 'cancelled' }, { limit: 30, cursor: first.next ?? '' });
  expect(new Set([...first.items, ...rest.items].map(({ id }) => id)).size).toBe(40);
  expect(first.items[0]).toMatchObject({ state: 'cancelled' });
  for (const state of ['waiting', 'held', 'sending'] as const) {
    expect((await store.deliveries.list({ state }, { limit: 10 })).items).toEqual([]);
  }
  const { id } = first.items[0] ?? { id: '' };
  expect(await store.deliveries.get(id)).toMatchObject({ state: 'cancelled' });
  expect(await store.deliveries.retry(id)).toEqual({ outcome: 'destination-gone' });
  expect(await claimAll(store)).toEqual([]);
  expect((await store.outbox.countLanes()).length).toBe(0);

  await other.query('commit');
  await expect
    .poll(() => query(`select distinct state from ${storedDeliveries}`))
    .toEqual([{ state: 'cancelled' }]);
  await expect.poll(() => query(`select id from destination where cancelling`)).toEqual([]);
  expect(await query(`select id from pending`)).toEqual([]);
  expect(await cancelledIds(store)).toEqual(ids.toSorted());
});

test('another host continues where a lost one stopped', async () => {
  const key = testKey();
  const { store, url, query } = await openOutbox({ webhook: false, keys: [key] });
  await signAll(store);
  const other = await openTransaction(url, 'select from pending order by id for update');
  await store.installations.uninstall(standard);
  await store.close();
  await other.query('commit');
  expect(await query(`select distinct state from ${storedDeliveries}`)).toEqual([{ state: 'waiting' }]);
  const second = await openStore({ databaseUrl: url, encryptionKeys: [key] });
  onTestFinished(() => second.close());
  await expect
    .poll(() => query(`select distinct state from ${storedDeliveries}`))
    .toEqual([{ state: 'cancelled' }]);
});

test('messages being sent when their destination was closed are recorded; rejected ones are cancelled', async () => {
  const { store, query } = await openOutbox({ webhook: false });
  for (const id of ['w1', 'w2']) await store.waivers.create(waiver({ id }));
  const [first, second] = await claimAll(store);
  if (first === undefined || second === undefined) throw new Error('two are due');
  await store.installations.uninstall(standard);
  expect(await shownStates(store, first.waiverId)).toEqual(['sending']);
  expect((await deliver(store, first)).size).toBe(1);
  expect(await shownStates(store, first.waiverId)).toEqual(['delivered']);
  expect((await finish(store, second, { kind: 'retry', waitMs: 0, usesAttempt: true })).size).toBe(1);
  expect(await shownStates(store, second.waiverId)).toEqual(['cancelled']);
  await expect
    .poll(() => query(`select distinct state from ${storedDeliveries} order by 1`))
    .toEqual([{ state: 'cancelled' }, { state: 'delivered' }]);
});

test('the next installation gets nothing that waited for the former, even before that is cancelled', async () => {
  const { store, url } = await openOutbox({ webhook: false });
  await signAll(store);
  const other = await openTransaction(url, 'select from pending order by id for update');
  await store.installations.uninstall(standard);
  await install(store, { accountId: 'next' });
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  expect(await claimOne(store)).toMatchObject({ waiverId: 'w1', version: 2 });
  await other.query('commit');
  await expect.poll(() => shownStates(store, 'w2')).toEqual(['cancelled']);
  expect(await claimAll(store)).toEqual([]);
});

test('a destination closes when every change that is enqueueing for it is done', async () => {
  const { store, url, query, endpoint } = await openOutbox({ installed: false });
  const enqueueing = await openTransaction(url, 'select from destination for key share');
  let isClosed = false;
  const removed = store.webhooks.remove('p1', endpoint?.endpoint.id ?? '').then(() => {
    isClosed = true;
  });
  await Promise.race([untilBlocked(query), removed]);
  expect(isClosed).toBe(false);
  await enqueueing.query('commit');
  await removed;
});

test('more than one batch takes is cancelled, to the last', async () => {
  const { store, query, endpoint } = await openOutbox({ installed: false });
  await query(`insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, takeback, due_at)
    select d.id, gen_random_uuid(), 'p1', 'w' || n, n, 'w' || n, false, now()
    from destination d, generate_series(1, 1100) n`);
  await store.webhooks.remove('p1', endpoint?.endpoint.id ?? '');
  await expect
    .poll(() => query('select cancelling, (select count(*)::int from pending) as waiting from destination'))
    .toEqual([{ cancelling: false, waiting: 0 }]);
});

test('a closed destination stays closed, whatever an operator does', async () => {
  const { store, query, endpoint } = await openOutbox({ installed: false });
  await store.webhooks.remove('p1', endpoint?.endpoint.id ?? '');
  const [destination] = await query('select id from destination');
  const id = String(destination?.id);
  expect(await store.destinations.resume(id)).toMatchObject({ status: 'closed' });
  expect(await store.destinations.pause(id)).toMatchObject({ status: 'closed' });
});

async function openWithAttempts() {
  const opened = await openOutbox();
  const { store, query } = opened;
  // More attempts than one batch, some of them with warnings alone, at two destinations of the pool.
  await Promise.all(['w1', 'w2', 'w3'].map((id) => store.waivers.create(waiver({ id }))));
  await query(`insert into attempt (pool, delivery, at, duration_ms, outcome, status, response, warnings, trigger)
    select d.pool, d.id, now(), 5, 'refused', 500, case when n % 2 = 0 then 'sorry, Ann' end,
      case when n % 2 = 1 then '[]' end, 'schedule'
    from delivery d cross join generate_series(1, 700) n`);
  const kept = async () =>
    Object.fromEntries(
      (
        await query(`select d.kind, count(a.response)::int as answers, count(a.warnings)::int as warnings
          from attempt a join delivery d on d.id = a.delivery group by d.kind`)
      ).map(({ kind, ...counts }) => [kind, counts]),
    );
  return { ...opened, kept };
}

const all = { answers: 1_050, warnings: 1_050 };
const none = { answers: 0, warnings: 0 };

test('an uninstall erases the stored responses of the installation’s attempts, and no others', async () => {
  const { store, kept } = await openWithAttempts();
  await store.installations.uninstall(standard);
  await expect.poll(kept).toEqual({ 'guest-update': none, 'guest-webhook': all });
});

test('removing a webhook erases the stored responses of its attempts, and no others', async () => {
  const { store, kept, endpoint } = await openWithAttempts();
  await store.webhooks.remove('p1', endpoint?.endpoint.id ?? '');
  await expect.poll(kept).toEqual({ 'guest-update': all, 'guest-webhook': none });
});

test('responses that are still to be erased are not shown', async () => {
  const { store, kept, query, url } = await openWithAttempts();
  const shown = async () => {
    const [delivery] = await query(`select id from delivery where kind = 'guest-update' limit 1`);
    const { attempts = [] } = (await store.deliveries.get(String(delivery?.id))) ?? {};
    return {
      attempts: attempts.length,
      answers: attempts.filter(({ response }) => response !== undefined).length,
      warnings: attempts.filter(({ warnings }) => warnings !== undefined).length,
    };
  };
  expect(await shown()).toEqual({ attempts: 700, answers: 350, warnings: 350 });
  // A locked message delays the cancellation of the rest, and the erasure of the responses.
  await openTransaction(url, 'select from pending for update');
  await store.installations.uninstall(standard);
  expect(await kept()).toEqual({ 'guest-update': all, 'guest-webhook': all });
  expect(await shown()).toEqual({ attempts: 700, answers: 0, warnings: 0 });
});

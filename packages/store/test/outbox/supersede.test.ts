import { untilBlocked } from '@waiver-service/database/testing';
import { expect, test } from 'vitest';
import {
  claimAll,
  claimOne,
  deliver,
  finish,
  install,
  lose,
  loseWorker,
  refuse,
  waiver,
  workerOf,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox, openTransaction } from '../setup/open-test-store.ts';

type Opened = Awaited<ReturnType<typeof openOutbox>>;

const states = async ({ store }: Opened, id = 'w1') =>
  (await store.waivers.deliveriesOf('p1', id))
    .map(({ version, state, bookingId }) => `${version} ${bookingId ?? 'webhook'} ${state}`)
    .reverse();

const step = ({ store }: Opened, currentPage: string, id = 'w1') =>
  store.waivers.update('p1', id, { currentPage });

async function signed(options: Parameters<typeof openOutbox>[0] = { webhook: false }) {
  const opened = await openOutbox(options);
  await opened.store.waivers.create(waiver({ id: 'w1' }));
  return opened;
}

/** A step that waits until a transaction which has run some statements is committed. */
async function stepBehind(opened: Opened, statements: string, currentPage: string) {
  const client = await openTransaction(opened.url, statements);
  const change = step(opened, currentPage);
  await untilBlocked(opened.query);
  await client.query('commit');
  return change;
}

test('a newer version supersedes one that was never attempted', async () => {
  const opened = await signed();
  await step(opened, 'two');
  await step(opened, 'three');
  expect(await states(opened)).toEqual(['1 b1 superseded', '2 b1 superseded', '3 b1 waiting']);
  expect(await claimOne(opened.store)).toMatchObject({ version: 3 });
  expect(await claimAll(opened.store)).toEqual([]);
});

test('of accepted messages recorded together, those superseded while they were sent are delivered too', async () => {
  const opened = await signed();
  const { store } = opened;
  await store.waivers.create(waiver({ id: 'w2' }));
  const { dispatcher } = await workerOf(store);
  const finished = (await claimAll(store)).map((claimed) => ({
    ...claimed,
    decision: { kind: 'delivered' } as const,
    inDoubt: false,
    attempt: { at: new Date(), durationMs: 5, outcome: 'accepted', trigger: 'schedule' } as const,
  }));
  await step(opened, 'two');
  expect(await states(opened)).toEqual(['1 b1 sending', '2 b1 waiting']);
  expect(await store.outbox.record(dispatcher, finished)).toEqual(finished);
  expect(await store.outbox.record(dispatcher, finished)).toEqual([]);
  expect(await states(opened)).toEqual(['1 b1 delivered', '2 b1 waiting']);
  expect(await states(opened, 'w2')).toEqual(['1 b1 delivered']);
});

test('a newer version supersedes one that was certainly rejected, without waiting for its next attempt', async () => {
  const opened = await signed();
  await refuse(opened.store, await claimOne(opened.store), 3_600_000);
  await step(opened, 'two');
  expect(await states(opened)).toEqual(['1 b1 superseded', '2 b1 waiting']);
  expect(await claimOne(opened.store)).toMatchObject({ version: 2, attempts: 0 });
});

test('a message in doubt is sent again with the same body when it is due, before anything newer', async () => {
  const opened = await signed();
  const first = await claimOne(opened.store);
  await lose(opened.store, first, 3_600_000);
  await step(opened, 'two');
  await step(opened, 'three');
  expect(await states(opened)).toEqual(['1 b1 waiting', '2 b1 superseded', '3 b1 waiting']);
  expect(await claimAll(opened.store)).toEqual([]);
  await opened.query(`update pending set due_at = now() - interval '1 second'`);
  const again = await claimOne(opened.store);
  expect(again).toMatchObject({ id: first.id, body: first.body, inDoubt: true });
  await deliver(opened.store, again);
  expect(await claimOne(opened.store)).toMatchObject({ version: 3 });
});

test('an answer with a status ends the doubt', async () => {
  const opened = await signed();
  await lose(opened.store, await claimOne(opened.store));
  await refuse(opened.store, await claimOne(opened.store));
  await step(opened, 'two');
  expect(await states(opened)).toEqual(['1 b1 superseded', '2 b1 waiting']);
});

test('a message in flight is not superseded until it is rejected; then the newer one is due at once', async () => {
  const opened = await signed();
  const flying = await claimOne(opened.store);
  await step(opened, 'two');
  expect(await states(opened)).toEqual(['1 b1 sending', '2 b1 waiting']);
  expect(await claimAll(opened.store)).toEqual([]);
  await refuse(opened.store, flying, 3_600_000);
  expect(await states(opened)).toEqual(['1 b1 superseded', '2 b1 waiting']);
  expect(await claimOne(opened.store)).toMatchObject({ version: 2, attempts: 0 });
});

test('a message that was in flight and is in doubt is sent again before the newer one', async () => {
  const opened = await signed();
  const flying = await claimOne(opened.store);
  await step(opened, 'two');
  await lose(opened.store, flying);
  expect(await states(opened)).toEqual(['1 b1 waiting', '2 b1 waiting']);
  expect(await claimOne(opened.store)).toMatchObject({ id: flying.id });
});

test('a message superseded while being sent is delivered if it was accepted', async () => {
  const opened = await signed();
  const sent = await claimOne(opened.store);
  await step(opened, 'two');
  expect((await deliver(opened.store, sent)).size).toBe(1);
  expect(await states(opened)).toEqual(['1 b1 delivered', '2 b1 waiting']);
  expect((await deliver(opened.store, sent)).size).toBe(0);
  expect(await opened.query('select outcome from attempt')).toEqual([{ outcome: 'accepted' }]);
});

test('a message superseded while being sent comes back in doubt if its host is lost', async () => {
  const opened = await signed();
  const sent = await claimOne(opened.store);
  await step(opened, 'two');
  expect(await loseWorker(opened.store)).toBe(1);
  expect(await states(opened)).toEqual(['1 b1 waiting', '2 b1 waiting']);
  const again = await claimOne(opened.store);
  expect(again).toMatchObject({ id: sent.id, body: sent.body, inDoubt: true });
  await deliver(opened.store, again);
  expect(await claimOne(opened.store)).toMatchObject({ version: 2 });
});

test('a takeback is not superseded when it is rejected', async () => {
  const opened = await signed();
  await deliver(opened.store, await claimOne(opened.store));
  await opened.store.waivers.update('p1', 'w1', { bookingId: 'b2' });
  const takeback = await claimOne(opened.store);
  await opened.store.waivers.update('p1', 'w1', { bookingId: 'b1' });
  await refuse(opened.store, takeback);
  expect(await claimOne(opened.store)).toMatchObject({ id: takeback.id, bookingId: 'b1' });
});

test('of several newer versions that wait behind one in flight, the last one stays', async () => {
  const opened = await signed();
  const flying = await claimOne(opened.store);
  await step(opened, 'two');
  await step(opened, 'three');
  expect(await states(opened)).toEqual(['1 b1 sending', '2 b1 superseded', '3 b1 waiting']);
  await deliver(opened.store, flying);
  expect(await claimOne(opened.store)).toMatchObject({ version: 3 });
});

test('a change that waits for the end of an attempt supersedes the message that it left waiting', async () => {
  const opened = await signed();
  await step(opened, 'two');
  const statements = 'update pending set faults = faults + 1';
  await stepBehind(opened, statements, 'three');
  expect(await states(opened)).toEqual(['1 b1 superseded', '2 b1 superseded', '3 b1 waiting']);
});

test('a change that waits for the end of an attempt does not supersede a message that came into doubt', async () => {
  const opened = await signed();
  const statements = 'update pending set in_doubt = true';
  await stepBehind(opened, statements, 'two');
  expect(await states(opened)).toEqual(['1 b1 waiting', '2 b1 waiting']);
});

test('a change that waits while its destination is written to is sent all the same', async () => {
  const opened = await signed();
  const statements = 'select from destination for update; update destination set consecutive_failures = 1';
  await stepBehind(opened, statements, 'two');
  expect(await states(opened)).toEqual(['1 b1 superseded', '2 b1 waiting']);
});

test('a change that waits while its destination is closed sends nothing there', async () => {
  const opened = await signed();
  const statements = `select from destination for update; update destination set status = 'closed'`;
  expect(await stepBehind(opened, statements, 'two')).toMatchObject({ outcome: 'updated' });
  expect(await states(opened)).toEqual(['1 b1 cancelled']);
});

test('moving to another booking takes the record back from the former first, which nothing supersedes', async () => {
  const opened = await signed();
  const { store } = opened;
  const before = await store.waivers.get('p1', 'w1');
  const moved = await store.waivers.update('p1', 'w1', { bookingId: 'b2' });
  expect(moved).toMatchObject({ outcome: 'updated', record: { version: 3, bookingId: 'b2' } });
  await step(opened, 'two');
  expect(await states(opened)).toEqual([
    '1 b1 superseded',
    '2 b1 waiting',
    '3 b2 superseded',
    '4 b2 waiting',
  ]);
  const takeback = await claimOne(store);
  const body = JSON.parse(takeback.body).waiver;
  expect(body).toMatchObject({ id: 'w1', bookingId: 'b1', bookingGuestId: 'g1', deleted: true });
  const updatedAt = moved.outcome === 'updated' ? moved.record.updatedAt.getTime() : 0;
  expect(Date.parse(body.updatedAt)).toBe(updatedAt - 1);
  expect(Date.parse(body.updatedAt)).toBeGreaterThan(before?.updatedAt.getTime() ?? 0);
  await deliver(store, takeback);
  expect(JSON.parse((await claimOne(store)).body).waiver).toMatchObject({ bookingId: 'b2', deleted: false });
});

test('if a record moves there and back, every message is sent in its turn', async () => {
  const opened = await signed();
  await deliver(opened.store, await claimOne(opened.store));
  for (const bookingId of ['b2', 'b1']) await opened.store.waivers.update('p1', 'w1', { bookingId });
  const sent: string[] = [];
  for (;;) {
    const [next] = await claimAll(opened.store);
    if (next === undefined) break;
    const { bookingId, deleted } = JSON.parse(next.body).waiver;
    sent.push(`${bookingId} ${deleted ? 'removed' : 'there'}`);
    await deliver(opened.store, next);
  }
  expect(sent).toEqual(['b1 removed', 'b2 removed', 'b1 there']);
});

test('a record detached from its booking is taken back there, and the webhook has no booking', async () => {
  const { store } = await signed({});
  for (const each of await claimAll(store)) await deliver(store, each);
  await store.waivers.update('p1', 'w1', { bookingId: null, bookingSystem: null, bookingGuestId: null });
  const claimed = await claimAll(store);
  const bodies = claimed.map(({ body }) => JSON.parse(body));
  expect(bodies).toHaveLength(2);
  expect(bodies).toContainEqual({ waiver: expect.objectContaining({ bookingId: 'b1', deleted: true }) });
  expect(bodies).toContainEqual({
    guest: expect.objectContaining({ reservationsID: null, reservationsService: '', deleted: false }),
  });
});

test('a record moved to another booking system is sent to both', async () => {
  const opened = await openOutbox({ webhook: false });
  await install(opened.store, { bookingSystem: 'standard-query' });
  await opened.store.waivers.create(waiver({ id: 'w1' }));
  for (const each of await claimAll(opened.store)) await deliver(opened.store, each);
  await opened.store.waivers.update('p1', 'w1', { bookingSystem: 'standard-query', bookingId: 'q1' });
  const claimed = await claimAll(opened.store);
  expect(new Set(claimed.map(({ destination }) => destination)).size).toBe(2);
  expect(
    claimed
      .map(({ body }) => JSON.parse(body).waiver)
      .map(({ bookingId, deleted }) => [bookingId, deleted])
      .sort(),
  ).toEqual([
    ['b1', true],
    ['q1', false],
  ]);
});

test('lanes by booking: one at a time for a booking, and each waiver supersedes only its own', async () => {
  const opened = await openOutbox({ webhook: false, writeUnit: 'booking' });
  const { store } = opened;
  for (const id of ['w1', 'w2']) await store.waivers.create(waiver({ id }));
  await step(opened, 'two', 'w1');
  const order: string[] = [];
  for (;;) {
    const [next, ...more] = await claimAll(store);
    if (next === undefined) break;
    expect(more).toEqual([]);
    order.push(`${next.waiverId} ${next.version}`);
    await deliver(store, next);
  }
  expect(order).toEqual(['w2 1', 'w1 2']);
});

test('lanes by booking: many that sign at once are all sent, in one lane each', async () => {
  const { store } = await openOutbox({ webhook: false, writeUnit: 'booking' });
  const ids = Array.from({ length: 40 }, (_, place) => `w${place}`);
  await Promise.all(ids.map((id, place) => store.waivers.create(waiver({ id, bookingId: `b${place % 2}` }))));
  await Promise.all(
    ids.map((id, place) => store.waivers.update('p1', id, { bookingId: `b${(place + 1) % 2}` })),
  );
  const sent: string[] = [];
  for (;;) {
    const claimed = await claimAll(store);
    if (claimed.length === 0) break;
    expect(claimed.length).toBeLessThanOrEqual(2);
    for (const next of claimed) {
      const { id, bookingId, deleted } = JSON.parse(next.body).waiver;
      sent.push(`${id} ${bookingId} ${deleted}`);
      await deliver(store, next);
    }
  }
  for (const [place, id] of ids.entries()) {
    expect(sent).toContain(`${id} b${place % 2} true`);
    expect(sent).toContain(`${id} b${(place + 1) % 2} false`);
  }
});

test('a void is sent to the booking system and to the webhook, once, and nothing follows', async () => {
  const { store } = await signed({});
  for (const each of await claimAll(store)) await deliver(store, each);
  expect(await store.waivers.void('p1', 'w1')).toMatchObject({
    outcome: 'voided',
    record: { deleted: true, version: 2 },
  });
  expect(await store.waivers.void('p1', 'w1')).toMatchObject({
    outcome: 'already-voided',
    record: { version: 2 },
  });
  expect(await store.waivers.update('p1', 'w1', { currentPage: 'x' })).toEqual({ outcome: 'voided' });
  const claimed = await claimAll(store);
  expect(
    claimed.map(({ body }) => Object.values<{ deleted: boolean }>(JSON.parse(body))[0]?.deleted),
  ).toEqual([true, true]);
  for (const each of claimed) await deliver(store, each);
  expect(await claimAll(store)).toEqual([]);
});

test('an own fault leaves the delivery as it was: never attempted, so superseded', async () => {
  const opened = await signed();
  await finish(opened.store, await claimOne(opened.store), { kind: 'release', waitMs: 60_000 }, null);
  await step(opened, 'two');
  expect(await states(opened)).toEqual(['1 b1 superseded', '2 b1 waiting']);
  expect(await claimOne(opened.store)).toMatchObject({ version: 2 });
});

import { setTimeout as delay } from 'node:timers/promises';
import { untilShardsShared } from '@waiver-service/outbox/testing';
import type { Store } from '@waiver-service/store';
import { expect, test } from 'vitest';
import type { Sender } from '../../src/index.ts';
import {
  addWebhook,
  dispatch,
  install,
  longTest,
  openService,
  openWithWebhook,
  sendersWith,
  startReceiver,
  status,
  until,
  untilDeliveries,
  waiver,
} from '../setup/service.ts';

/**
 * Watches the sends of all hosts. At the receiver they may still overlap or arrive out of order: a request that we gave
 * up on can still be in transit.
 */
function watchLanes() {
  const busy = new Set<string>();
  const overlaps: string[] = [];
  const versions = new Map<string, number[]>();
  const watch =
    (sender: Sender): Sender =>
    async (message, signal) => {
      const lane = `${message.destination} ${message.orderingKey}`;
      if (busy.has(lane)) overlaps.push(lane);
      busy.add(lane);
      const waiverAt = `${message.destination} ${message.waiverId}`;
      versions.set(waiverAt, [...(versions.get(waiverAt) ?? []), message.version]);
      try {
        return await sender(message, signal);
      } finally {
        busy.delete(lane);
      }
    };
  return { watch, overlaps, versions };
}

test.each(['waiver', 'booking'] as const)(
  'three hosts on one database, random faults, lanes by %s: never two at once in a lane, versions in order, the last state arrives',
  async (writeUnit) => {
    const service = await openService({ timeoutMs: 400 });
    const receiver = await startReceiver(async (_, response) => {
      const fate = Math.random();
      await delay(Math.random() * 15);
      if (fate < 0.15) response.writeHead(500).end();
      else if (fate < 0.22) response.destroy();
      else if (fate < 0.25) return;
      else response.end('{"success":true}');
    });
    await install(service.store, writeUnit);
    await addWebhook(service.store, `${receiver.url}/hook`);
    const { watch, overlaps, versions } = watchLanes();
    const stores = [service.store, await service.again(), await service.again()];
    for (const store of stores) {
      dispatch(
        { ...service, store },
        {
          guestUpdateUrl: `${receiver.url}/update`,
          watch,
          policy: { retrySchedule: Array<number>(60).fill(20), pauseAfterMs: 1e9, probeIntervalMs: 1e9 },
        },
      );
    }
    const ids = Array.from({ length: 12 }, (_, place) => `w${place}`);
    await Promise.all(
      ids.map(async (id, place) => {
        const store = stores[place % stores.length] ?? service.store;
        await store.waivers.create(waiver({ id, bookingSystem: 'standard', bookingId: `b${place % 3}` }));
        for (let step = 0; step < 6; step += 1) {
          await delay(Math.random() * 60);
          await store.waivers.update('p1', id, { currentPage: `${step}` });
        }
        await store.waivers.void('p1', id);
      }),
    );
    receiver.answerWith(status(200));
    await until(async () => {
      const { items } = await service.store.destinations.list({ limit: 10 });
      expect(items.map(({ waiting }) => waiting)).toEqual([0, 0]);
    });

    expect(overlaps).toEqual([]);
    expect(versions.size).toBe(24);
    for (const sent of versions.values()) expect(sent).toEqual(sent.toSorted((one, other) => one - other));
    const requestOf = (body: string) => {
      const { waiver: update, guest } = JSON.parse(body);
      return update ?? guest;
    };
    const ofEach = [
      ...Map.groupBy(receiver.received, ({ path, body }) => `${path} ${requestOf(body).id}`).values(),
    ];
    expect(ofEach).toHaveLength(24);
    for (const sent of ofEach) {
      const latest = sent
        .map(({ body }) => requestOf(body))
        .toSorted((a, b) => (a.updatedAt < b.updatedAt ? -1 : 1));
      expect(latest.at(-1)?.deleted).toBe(true);
    }
  },
);

/** Claims like a host that then vanishes. */
async function claimAndVanish({ outbox }: Store, leaseMs: number) {
  const dispatcher = await outbox.registerDispatcher(leaseMs);
  await outbox.balanceShards(dispatcher, []);
  const { work } = await outbox.findWork({ dispatcher, after: '', busyLanes: new Map() });
  const shares = work.map(({ destination }) => ({ destination, slots: 1, busyLanes: [] }));
  return outbox.claim({ dispatcher, epoch: 0, shares, limit: 1, retrying: false });
}

test('a lost host’s lanes are taken over within seconds; the same body is sent again, then newer ones', async () => {
  const { service, receiver } = await openWithWebhook(() => {});
  await service.store.waivers.create(waiver({ id: 'w1' }));
  const gone = await service.again();
  const [lost] = await claimAndVanish(gone, 300);
  await service.store.waivers.update('p1', 'w1', { currentPage: 'two' });
  receiver.answerWith(status(200));
  const { events } = dispatch(service, { leaseMs: 4_000, leaseMarginMs: 100 });
  await receiver.count(2);
  expect(receiver.received[0]?.body).toBe(lost?.body);
  expect(JSON.parse(receiver.received[1]?.body ?? '').guest.currentPage).toBe('two');
  expect(events).toContainEqual({ type: 'reclaimed', messages: 1 });
});

test('a host that is the only one of its database does not wait for the leases of the one that was killed', async () => {
  const { service, receiver } = await openWithWebhook();
  await service.store.waivers.create(waiver({ id: 'w1' }));
  const [lost] = await claimAndVanish(service.store, 3_600_000);
  const restarted = await service.again({ soleHost: true });
  dispatch({ ...service, store: restarted });
  // That lease would outlast the test.
  const [again] = await receiver.count(1);
  expect(again?.body).toBe(lost?.body);
});

longTest('a long send keeps its lease: no other host takes it', async () => {
  // Renewed after a third of it, so the machine may stall for some seconds.
  const lease = { leaseMs: 9_000, leaseMarginMs: 100 };
  const service = await openService();
  const release = Promise.withResolvers<void>();
  let sends = 0;
  await install(service.store);
  const senders = sendersWith({
    guestUpdate: async () => {
      sends += 1;
      await release.promise;
      return { outcome: 'accepted', durationMs: 1 } as const;
    },
  });
  dispatch(service, { senders, ...lease });
  dispatch({ ...service, store: await service.again() }, { senders, ...lease });
  await service.store.waivers.create(waiver({ id: 'w1', bookingSystem: 'standard', bookingId: 'b1' }));
  // Without a renewal, the lease would have expired.
  await delay(lease.leaseMs + 2_000);
  expect(sends).toBe(1);
  release.resolve();
  await untilDeliveries(service, 'w1');
  expect(sends).toBe(1);
});

longTest(
  'a host that joins is given its share as soon as nothing of it is being sent, and one that stops gives its own back',
  async () => {
    const service = await openService();
    const release = Promise.withResolvers<void>();
    let sends = 0;
    const senders = sendersWith({
      guestWebhook: async () => {
        sends += 1;
        await release.promise;
        return { outcome: 'accepted', durationMs: 1 } as const;
      },
    });
    // With this lease, it rarely checks for other dispatchers itself: it depends on notifications.
    const options = { senders, leaseMs: 3_600_000, concurrency: 200 };
    // More than half of the shards have something to send.
    for (const pool of ['p1', 'p2', 'p3', 'p4', 'p5']) {
      await service.store.pools.put({ id: pool, name: pool });
      for (let number = 0; number < 20; number += 1) {
        await addWebhook(service.store, `https://example.com/${number}`, { pool });
      }
      await service.store.waivers.create(waiver({ id: `w-${pool}`, pool }));
    }
    dispatch(service, options);
    await until(() => expect(sends).toBe(100));
    const joining = dispatch({ ...service, store: await service.again() }, options);
    release.resolve();
    await untilShardsShared(service.databaseUrl, 2);
    await joining.dispatcher.stop();
    await untilShardsShared(service.databaseUrl, 1);
  },
);

import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createConnectionRenewal } from '../../src/database/connection-renewal.ts';
import { createNotifications } from '../../src/database/notifications.ts';
import { openStore, type Store } from '../../src/index.ts';
import { openDatabase } from '../setup/open-database.ts';
import { testKey } from '../setup/open-test-store.ts';
import { claimAll, deliver, guestUpdate, loseWorker, openOutbox, waiver } from '../setup/outbox-fixture.ts';

type Query = Awaited<ReturnType<typeof openOutbox>>['query'];

const listening = `select pid from pg_stat_activity
where datname = current_database() and query like 'listen waiver_service_%'`;

async function untilListening(query: Query, hosts: number): Promise<void> {
  await expect.poll(() => query(listening)).toHaveLength(hosts);
}

/** Collects the pools that change from now on; null where any may have. */
function watch(store: Store): (string | null)[] {
  const seen: (string | null)[] = [];
  onTestFinished(store.liveEvents.watch((pools) => seen.push(...(pools ?? [null]))));
  return seen;
}

/** Two stores on one database, like two hosts, and the notifications of the second one. */
async function openTwo() {
  const keys = [testKey()];
  const opened = await openOutbox({ keys });
  const other = await openStore({ databaseUrl: opened.url, encryptionKeys: keys });
  onTestFinished(() => other.close());
  await untilListening(opened.query, 2);
  const seen = watch(other);
  // The changes that setting up made are told before this one.
  await opened.store.installations.approve('settled', 'standard', 'test');
  await expect.poll(() => seen).toContain('settled');
  seen.length = 0;
  /** Resolves when a change of the pool was seen. */
  const untilSeen = async (pool: string | null = 'p1') => {
    await expect.poll(() => seen).toContain(pool);
    seen.length = 0;
  };
  return { ...opened, other, seen, untilSeen };
}

test('a host has one connection for all notifications', async () => {
  const { query } = await openTwo();
  expect(await query(listening)).toHaveLength(2);
});

test('each change that people see on one host is announced on another, by its pool', async () => {
  const { store, query, untilSeen } = await openTwo();
  await store.waivers.create(waiver({ id: 'w1' }));
  await untilSeen();
  const claimed = await claimAll(store);
  await untilSeen();
  const sent = guestUpdate(claimed);
  await deliver(store, sent);
  await untilSeen();
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  await untilSeen();
  await store.deliveries.retry(sent.id);
  await untilSeen();
  const [first] = await query('select id from destination order by id limit 1');
  const id = String(first?.id);
  await store.destinations.pause(id);
  await untilSeen();
  await store.destinations.resume(id);
  await untilSeen();
  await store.outbox.hold([{ destination: id, holdMs: 1_000 }]);
  await untilSeen();
  await store.outbox.recordHealth([{ destination: id, succeeded: false, failures: 1, gone: false }], {
    pauseAfterMs: 60_000,
    probeIntervalMs: 60_000,
  });
  await untilSeen();
  // A takeover may concern any pool.
  expect(await loseWorker(store)).toBeGreaterThan(0);
  await untilSeen(null);
});

test('a healthy destination that goes on is no change', async () => {
  const { store, query, seen, untilSeen } = await openTwo();
  const [first] = await query('select id from destination order by id limit 1');
  const health = { destination: String(first?.id), succeeded: true, failures: 0, gone: false };
  const policy = { pauseAfterMs: 60_000, probeIntervalMs: 60_000 };
  await store.outbox.recordHealth([health], policy);
  await store.outbox.recordHealth([health], policy);
  await store.installations.approve('later', 'standard', 'test');
  await expect.poll(() => seen).toContain('later');
  expect(seen).toEqual(['later']);
  await store.outbox.recordHealth([{ ...health, succeeded: false, failures: 1 }], policy);
  await untilSeen();
});

test('many changes are announced together, without pools if these are too many to name', async () => {
  const { store, seen } = await openTwo();
  const approve = (pool: string) => store.installations.approve(pool, 'standard', 'test');
  await Promise.all(Array.from({ length: 200 }, (_, place) => approve(`pool-${place % 5}`)));
  await expect.poll(() => new Set(seen).size).toBe(5);
  expect(seen.length).toBeLessThan(50);
  seen.length = 0;
  const pools = Array.from({ length: 100 }, (_, place) => `pool-${place}`.padEnd(120, '-'));
  await store.deliveries.recover({ pools, since: new Date() });
  await expect.poll(() => seen).toContain(null);
});

test('the end of a session and of a credential is announced, without naming them', async () => {
  const { store, other } = await openTwo();
  let ended = 0;
  onTestFinished(
    other.liveEvents.onAccessEnded(() => {
      ended += 1;
    }),
  );
  const { id } = await store.credentials.create({ name: 'Vi', role: 'viewer' });
  const first = (await store.personSessions.start(id)) ?? '';
  const second = (await store.personSessions.start(null)) ?? '';
  expect(await store.personSessions.stillOpen([first, second, 'wss_unknown'])).toEqual(
    new Set([first, second]),
  );
  await store.personSessions.end(second);
  await expect.poll(() => ended).toBe(1);
  expect(await store.personSessions.stillOpen([first, second])).toEqual(new Set([first]));
  expect(await store.credentials.stillValid([id, 'unknown'])).toEqual(new Set([id]));
  await store.credentials.remove(id);
  await expect.poll(() => ended).toBe(2);
  expect(await store.personSessions.stillOpen([first, second])).toEqual(new Set());
  expect(await store.credentials.stillValid([id])).toEqual(new Set());
});

test('after a lost connection anything may have changed, and changes are announced again', async () => {
  const { store, other, query, seen, untilSeen } = await openTwo();
  let woken = 0;
  let withdrawn = 0;
  const outbox = other.outbox.listen({
    onWake: () => {
      woken += 1;
    },
    onWithdrawn: (withdrawal) => {
      if (withdrawal === undefined) withdrawn += 1;
    },
  });
  onTestFinished(() => outbox.close());
  await query(`select pg_terminate_backend(pid) from (${listening}) l`);
  // When it is lost, and when it is there again.
  await expect.poll(() => seen.filter((pool) => pool === null).length).toBe(2);
  expect([woken, withdrawn]).toEqual([2, 2]);
  await untilListening(query, 2);
  seen.length = 0;
  await store.waivers.create(waiver({ id: 'w1' }));
  await untilSeen();
});

test('a database that is away for long costs no memory', async () => {
  const databaseUrl = 'postgres://localhost:1/away';
  const listen = vi.spyOn(EventTarget.prototype, 'addEventListener');
  onTestFinished(() => listen.mockRestore());
  let attempts = 0;
  const renewal = {
    ...createConnectionRenewal(),
    onRenew: () => {
      attempts += 1;
      return () => {};
    },
  };
  const notifications = createNotifications({ database: openDatabase(databaseUrl), databaseUrl, renewal });
  onTestFinished(() => notifications.close());
  await expect.poll(() => attempts).toBe(4);
  const signals = listen.mock.contexts.filter((target) => target instanceof AbortSignal);
  const listeners = signals.map((signal) => getEventListeners(signal, 'abort').length);
  // Of the attempt and of the wait for the next one.
  expect(Math.max(...listeners)).toBeLessThanOrEqual(2);
});

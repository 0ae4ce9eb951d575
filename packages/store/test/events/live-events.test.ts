import { Client } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore, type Store } from '../../src/index.ts';
import { testKey } from '../setup/open-test-store.ts';
import { claimAll, deliver, guestUpdate, loseWorker, openOutbox, waiver } from '../setup/outbox-fixture.ts';

interface Seen {
  /** States by delivery, as they were told. */
  readonly states: Map<string, string[]>;
  /** Statuses of destinations. */
  readonly destinations: string[];
  gaps: number;
  endedAccess: number;
}

function watch(store: Store): Seen {
  const seen: Seen = { states: new Map(), destinations: [], gaps: 0, endedAccess: 0 };
  const watching = store.liveEvents.watch({
    onChange({ deliveries, destinations }) {
      for (const { id, state } of deliveries) seen.states.set(id, [...(seen.states.get(id) ?? []), state]);
      seen.destinations.push(...destinations.map(({ status }) => status));
    },
    onGap() {
      seen.gaps += 1;
    },
    onAccessEnded() {
      seen.endedAccess += 1;
    },
  });
  onTestFinished(() => watching.close());
  return seen;
}

/** Two stores on one database, as two hosts have them, and what is seen in the second one. */
async function openTwo() {
  const keys = [testKey()];
  const opened = await openOutbox({ keys });
  const other = await openStore({ databaseUrl: opened.url, encryptionKeys: keys });
  onTestFinished(() => other.close());
  const seen = watch(other);
  // It says that anything may have changed, as soon as it listens.
  await expect.poll(() => seen.gaps).toBeGreaterThan(0);
  await expect.poll(() => listeners(opened.query)).toBe(2);
  return { ...opened, other, seen };
}

type Query = Awaited<ReturnType<typeof openOutbox>>['query'];

async function listeners(query: Query): Promise<number> {
  const rows = await query(
    `select from pg_stat_activity where datname = current_database() and query like 'listen waiver_service_events%'`,
  );
  return rows.length;
}

test('what one host stores, sends and records is seen on another, as it is then', async () => {
  const { store, seen } = await openTwo();
  await store.waivers.create(waiver({ id: 'w1' }));
  await expect
    .poll(() => [...seen.states.values()].map((states) => states.at(-1)))
    .toEqual(['waiting', 'waiting']);
  const claimed = await claimAll(store);
  const sent = guestUpdate(claimed);
  await expect.poll(() => seen.states.get(sent.id)?.at(-1)).toBe('sending');
  await deliver(store, sent);
  await expect.poll(() => seen.states.get(sent.id)?.at(-1)).toBe('delivered');
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  await expect.poll(() => seen.states.size).toBe(4);
  const retried = await store.deliveries.retry(sent.id);
  expect(retried).toBeDefined();
});

test('a delivery that a newer one supersedes, and one in doubt, are seen as such', async () => {
  const { store, seen } = await openTwo();
  await store.waivers.create(waiver({ id: 'w1' }));
  await expect.poll(() => seen.states.size).toBe(2);
  const former = [...seen.states.keys()];
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  await expect
    .poll(() => former.map((id) => seen.states.get(id)?.at(-1)))
    .toEqual(['superseded', 'superseded']);
  await claimAll(store);
  const { gaps } = seen;
  expect(await loseWorker(store)).toBe(2);
  // Not by name: a takeover may concern any number of them.
  await expect.poll(() => seen.gaps).toBeGreaterThan(gaps);
});

test('a pause, a resume and a failing destination are seen; a healthy one that goes on is not', async () => {
  const { store, seen, query } = await openTwo();
  const [first] = await query('select id from destination order by id limit 1');
  const id = String(first?.id);
  await store.destinations.pause(id);
  await expect.poll(() => seen.destinations).toEqual(['paused']);
  await store.destinations.resume(id);
  await expect.poll(() => seen.destinations).toEqual(['paused', 'active']);
  const policy = { pauseAfterMs: 60_000, probeIntervalMs: 60_000 };
  const health = { destination: id, succeeded: true, failures: 0, gone: false };
  await store.outbox.recordHealth([health], policy);
  await store.outbox.recordHealth([{ ...health, succeeded: false, failures: 1 }], policy);
  await expect.poll(() => seen.destinations.length).toBe(3);
  await store.outbox.recordHealth([health], policy);
  await expect.poll(() => seen.destinations.length).toBe(4);
});

test('the end of a session and of a credential is told, with none of theirs', async () => {
  const { store, seen } = await openTwo();
  const { id } = await store.credentials.create({ name: 'Vi', role: 'viewer' });
  const first = (await store.personSessions.start(id)) ?? '';
  const second = (await store.personSessions.start(null)) ?? '';
  expect(await store.personSessions.stillOpen([first, second, 'wss_unknown'])).toEqual(
    new Set([first, second]),
  );
  const before = seen.endedAccess;
  await store.personSessions.end(second);
  await expect.poll(() => seen.endedAccess).toBe(before + 1);
  expect(await store.personSessions.stillOpen([first, second])).toEqual(new Set([first]));
  expect(await store.credentials.stillValid([id, 'unknown'])).toEqual(new Set([id]));
  await store.credentials.remove(id);
  await expect.poll(() => seen.endedAccess).toBe(before + 2);
  expect(await store.personSessions.stillOpen([first, second])).toEqual(new Set());
  expect(await store.credentials.stillValid([id])).toEqual(new Set());
});

test('a lost connection is a gap, after which changes are seen again', async () => {
  const { store, seen, query } = await openTwo();
  const { gaps } = seen;
  await query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen waiver_service_events%'`);
  await expect.poll(() => seen.gaps).toBeGreaterThan(gaps);
  await expect.poll(() => listeners(query)).toBe(2);
  await store.waivers.create(waiver({ id: 'w1' }));
  await expect.poll(() => seen.states.size).toBe(2);
});

test('more than can be told is a gap, and bounded', async () => {
  const { store, seen } = await openTwo();
  const { gaps } = seen;
  const ids = Array.from({ length: 3_000 }, () => crypto.randomUUID());
  await store.outbox.giveBack(
    crypto.randomUUID(),
    ids.map((id) => ({ id, batch: 1 })),
  );
  await expect.poll(() => seen.gaps).toBe(gaps + 1);
});

test('nothing is announced while nobody watches', async () => {
  const { store, url, query } = await openOutbox();
  await expect.poll(() => listeners(query)).toBe(1);
  const notified: (string | undefined)[] = [];
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  client.on('notification', ({ payload }) => notified.push(payload));
  await client.query('listen waiver_service_events');
  // The set-up is announced, because somebody may have watched before this store was opened.
  await new Promise((resolve) => setTimeout(resolve, 200));
  notified.length = 0;

  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 60_000);
  onTestFinished(() => clock.mockRestore());
  await store.waivers.create(waiver({ id: 'w1' }));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(notified).toEqual([]);
  clock.mockRestore();

  watch(store);
  await store.waivers.create(waiver({ id: 'w2' }));
  await expect.poll(() => notified).toEqual(['["watch"]', '["waiver","w2"]']);
});

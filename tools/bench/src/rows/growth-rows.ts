import { randomUUID } from 'node:crypto';
import type { Ground } from '../harness/ground.ts';
import type { Row } from '../harness/row.ts';
import { percentile } from '../harness/statistics.ts';
import { type GrownDatabase, type GrownDatabases, openGrownDatabases } from '../subjects/grown-databases.ts';

const timesPerRun = 60;
const page = { limit: 50 };
const dayMs = 86_400_000;
const neverAborted = new AbortController().signal;

const answers = { name: 'Ann Guest', email: 'ann@example.com', notes: 'n'.repeat(100) };

/** The measured operations, each on another pool. */
const operations: Readonly<Record<string, (database: GrownDatabase) => Promise<unknown>>> = {
  'accept 64 waivers': ({ store, nextPool }) =>
    Promise.all(
      Array.from({ length: 64 }, () =>
        store.waivers.create({
          id: randomUUID(),
          pool: nextPool(),
          bookingSystem: 'standard',
          bookingId: 'b-new',
          answers,
        }),
      ),
    ),
  'waivers of a booking': async ({ store, nextPool, size }) => {
    const pool = nextPool();
    const number = Number(pool.slice(-5));
    const bookingId = `b-${number}-${Math.floor(size.waiversPerPool / 8)}`;
    return store.waivers.forBooking({ pool, bookingSystem: 'standard', bookingId });
  },
  'list waivers': ({ store, nextPool }) => store.waivers.list(nextPool(), page),
  'search waivers': ({ store, nextPool }) => store.waivers.search(nextPool(), { ...page, text: 'Guest a' }),
  'follow changes': ({ store, nextPool }) =>
    store.changes.read(nextPool(), { limit: 50, waitMs: 0, signal: neverAborted }),
  'list deliveries of a pool': ({ store, nextPool }) => store.deliveries.list({ pools: [nextPool()] }, page),
  'list all deliveries': ({ store }) => store.deliveries.list({}, page),
  'list dead deliveries': ({ store }) => store.deliveries.list({ state: 'dead' }, page),
  'list destinations': ({ store }) => store.destinations.list(page),
  'overview of a day': ({ store }) =>
    store.overviews.read({ since: new Date(Date.now() - dayMs), bucketMs: dayMs / 48 }),
};

// Filling takes minutes: the rows share it.
let shared: { readonly ground: Ground; readonly databases: Promise<GrownDatabases> } | undefined;
function databasesOf(ground: Ground): Promise<GrownDatabases> {
  if (shared?.ground !== ground) shared = { ground, databases: openGrownDatabases(ground.ofRun()) };
  return shared.databases;
}

function growthRow(name: string, operation: (database: GrownDatabase) => Promise<unknown>): Row {
  const measure = async (database: GrownDatabase, times: number) => {
    const tookMs: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const startedAt = performance.now();
      await operation(database);
      tookMs.push(performance.now() - startedAt);
    }
    return {
      value: percentile(tookMs, 50),
      figures: [{ name: 'p99', value: percentile(tookMs, 99), unit: 'ms' as const }],
    };
  };
  return {
    name: `growth-${name.replaceAll(' ', '-')}`,
    subject: `${name}, among 10,000 pools, 2,000,000 waivers and 12,000,000 deliveries`,
    base: 'among 10 pools',
    unit: 'ms',
    isLong: true,
    async prepare(ground) {
      const { large, small } = await databasesOf(ground);
      const times = ground.size(timesPerRun);
      await measure(large, times);
      await measure(small, times);
      return { subject: () => measure(large, times), base: () => measure(small, times) };
    },
  };
}

/** The operations of people and programs, in a database after years against a new one. */
export const growthRows: readonly Row[] = Object.entries(operations).map(([name, operation]) =>
  growthRow(name, operation),
);

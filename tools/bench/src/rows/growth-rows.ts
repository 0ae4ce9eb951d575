import { randomUUID } from 'node:crypto';
import { openWaiverPruning, type WaiverPruning } from '@waiver-service/guest-data/testing';
import { features } from '@waiver-service/host/features';
import { createOverviews } from '@waiver-service/operations/data';
import type { ClaimedDelivery, FinishedDelivery } from '@waiver-service/outbox';
import { openWaitingLanes, type WaitingLanes } from '@waiver-service/outbox/testing';
import { openStore, type Store } from '@waiver-service/store';
import {
  type DatabaseSize,
  growDatabase,
  grownBookingId,
  grownPoolId,
  openPruning,
  type Pruning,
} from '@waiver-service/store/testing';
import type { Ground } from '../harness/ground.ts';
import { percentile } from '../harness/measuring.ts';
import type { Row } from '../harness/row.ts';
import { encryptionKeys } from '../subjects/host.ts';

/** A filled database, opened as a host opens it. */
interface GrownDatabase {
  readonly store: Store;
  readonly size: DatabaseSize;
  /** Owns all shards. */
  readonly dispatcher: string;
  readonly lanes: WaitingLanes;
  readonly pruning: Pruning;
  readonly waiverPruning: WaiverPruning;
  /** The number of one of its pools, a different one at each call. */
  nextPool(): number;
}

/** A database after years, and one that was just set up. */
interface GrownDatabases {
  readonly large: GrownDatabase;
  readonly small: GrownDatabase;
}

const largeSize: DatabaseSize = { pools: 10_000, waiversPerPool: 200 };
/** Large enough for all rows to prune from. */
const smallSize: DatabaseSize = { pools: 40, waiversPerPool: 200 };
// A prime, so that the order of the pools matches no storage order.
const stride = 7_907;
const leaseMs = 7_200_000;

async function fillDatabase(ground: Ground, size: DatabaseSize): Promise<GrownDatabase> {
  const { url: databaseUrl } = await ground.database();
  const migrated = await openStore({ databaseUrl, encryptionKeys, features });
  await migrated.close();
  await growDatabase(databaseUrl, size);
  const store = await openStore({ databaseUrl, encryptionKeys, features });
  ground.defer(() => store.close());
  const lanes = openWaitingLanes(databaseUrl);
  ground.defer(() => lanes.close());
  const pruning = openPruning(databaseUrl);
  ground.defer(() => pruning.close());
  const waiverPruning = openWaiverPruning(databaseUrl);
  ground.defer(() => waiverPruning.close());
  const dispatcher = await store.outbox.registerDispatcher(leaseMs);
  await store.outbox.balanceShards(dispatcher, []);
  let calls = 0;
  return {
    store,
    size,
    dispatcher,
    lanes,
    pruning,
    waiverPruning,
    nextPool() {
      calls += 1;
      return ((calls * stride) % size.pools) + 1;
    },
  };
}

const page = { limit: 50 };
const dayMs = 86_400_000;
const neverAborted = new AbortController().signal;

const answers = { name: 'Ann Guest', email: 'ann@example.com', notes: 'n'.repeat(100) };

/** An operation, on another pool at each call. */
interface Operation {
  /** Before the first run. */
  prepare?(database: GrownDatabase): Promise<void>;
  /** @returns how long it took, in milliseconds */
  run(database: GrownDatabase): Promise<number>;
  readonly timesPerRun: number;
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

const timed = (run: (database: GrownDatabase) => Promise<unknown>): Operation => ({
  run: (database) => timeOf(() => run(database)),
  timesPerRun: 60,
});

const nextPoolId = ({ nextPool }: GrownDatabase) => grownPoolId(nextPool());

const accept = (database: GrownDatabase) =>
  Promise.all(
    Array.from({ length: 64 }, () =>
      database.store.waivers.create({
        id: randomUUID(),
        pool: nextPoolId(database),
        bookingSystem: 'standard',
        bookingId: 'b-new',
        answers,
      }),
    ),
  );

function delivered(claimed: ClaimedDelivery): FinishedDelivery {
  const attempt = {
    at: new Date(),
    durationMs: 20,
    outcome: 'accepted',
    status: 200,
    trigger: 'schedule',
  } as const;
  return { ...claimed, decision: { kind: 'delivered' }, inDoubt: undefined, attempt };
}

/** Claims the messages of 64 new waivers, and records them as delivered. No other messages are waiting. */
async function send(database: GrownDatabase) {
  const { store, dispatcher } = database;
  await accept(database);
  let claimed: ClaimedDelivery[] = [];
  const claimMs = await timeOf(async () => {
    const { work } = await store.outbox.findWork({ dispatcher, after: '', busyLanes: new Map() });
    const shares = work.map(({ destination }) => ({ destination, slots: 8, busyLanes: [] }));
    claimed = await store.outbox.claim({ dispatcher, epoch: 0, shares, limit: 250, retrying: false });
  });
  const finished = claimed.map(delivered);
  const recordMs = await timeOf(() => store.outbox.record(dispatcher, finished));
  await store.outbox.deleteBatches(dispatcher, [...new Set(claimed.map(({ batch }) => batch))]);
  return { claimMs, recordMs };
}

/** As a host reads it: from the start of a bucket. */
function readOverview({ store }: GrownDatabase) {
  const bucketMs = dayMs / 96;
  const since = (Math.floor(Date.now() / bucketMs) - 95) * bucketMs;
  return createOverviews(store.context).read({ since: new Date(since), bucketMs });
}

/** The measured operations, in the order in which they run: accepting leaves messages, pruning removes. */
const operations: Readonly<Record<string, Operation>> = {
  'claim 128 messages': {
    run: async (database) => (await send(database)).claimMs,
    timesPerRun: 30,
  },
  'record 128 messages': {
    run: async (database) => (await send(database)).recordMs,
    timesPerRun: 30,
  },
  'accept 64 waivers': timed(accept),
  'waivers of a booking': timed(({ store, nextPool, size }) => {
    const pool = nextPool();
    return store.waivers.forBooking({
      pool: grownPoolId(pool),
      bookingSystem: 'standard',
      bookingId: grownBookingId(pool, Math.floor(size.waiversPerPool / 2)),
    });
  }),
  'list waivers': timed((database) => database.store.waivers.list(nextPoolId(database), page)),
  'search waivers': timed((database) =>
    database.store.waivers.search(nextPoolId(database), { ...page, text: 'Guest a' }),
  ),
  'follow changes': timed((database) =>
    database.store.changes.read(nextPoolId(database), { limit: 50, waitMs: 0, signal: neverAborted }),
  ),
  'list deliveries of a pool': timed((database) =>
    database.store.deliveries.list({ pools: [nextPoolId(database)] }, page),
  ),
  'list all deliveries': timed(({ store }) => store.deliveries.list({}, page)),
  'list dead deliveries': timed(({ store }) => store.deliveries.list({ state: 'dead' }, page)),
  'list destinations': timed(({ store }) => store.destinations.list(page)),
  // The first reading, which is not measured, reads the whole day.
  'overview of a day': { ...timed(readOverview), timesPerRun: 20 },
  'prune 50 waivers': {
    ...timed(({ waiverPruning }) => waiverPruning.pruneWaivers()),
    // Two thirds of each pool's waivers, in batches of 50.
    prepare: ({ waiverPruning }) => waiverPruning.keepWaivers(16),
    timesPerRun: 4,
  },
  'prune 200 deliveries': { ...timed(({ pruning }) => pruning.pruneDeliveries()), timesPerRun: 8 },
};

/** Fills both; the large one takes minutes. */
async function fillDatabases(ground: Ground): Promise<GrownDatabases> {
  const small = await fillDatabase(ground, smallSize);
  const large = await fillDatabase(ground, { ...largeSize, pools: ground.size(largeSize.pools) });
  return { large, small };
}

// Filling takes minutes, so the rows share it.
let shared: { readonly ground: Ground; readonly databases: Promise<GrownDatabases> } | undefined;
function databasesOf(ground: Ground): Promise<GrownDatabases> {
  if (shared?.ground !== ground) shared = { ground, databases: fillDatabases(ground.ofRun()) };
  return shared.databases;
}

function growthRow(name: string, { run, prepare, timesPerRun }: Operation): Row {
  const measure = async (database: GrownDatabase, times: number) => {
    const tookMs: number[] = [];
    for (let time = 0; time < times; time += 1) tookMs.push(await run(database));
    return {
      value: percentile(tookMs, 50),
      figures: [{ name: 'p99', value: percentile(tookMs, 99), unit: 'ms' as const }],
    };
  };
  return {
    name: `growth-${name.replaceAll(' ', '-')}`,
    subject: `${name}, among 10,000 pools, 2,000,000 waivers and 14,000,000 deliveries`,
    base: 'among 40 pools',
    unit: 'ms',
    isLong: true,
    async prepare(ground) {
      const { large, small } = await databasesOf(ground);
      const times = ground.size(timesPerRun);
      for (const database of [large, small]) {
        await database.lanes.settle();
        await prepare?.(database);
      }
      return { subject: () => measure(large, times), base: () => measure(small, times) };
    },
  };
}

/** The operations of people and programs, in a database after years of use against a new one. */
export const growthRows: readonly Row[] = Object.entries(operations).map(([name, operation]) =>
  growthRow(name, operation),
);

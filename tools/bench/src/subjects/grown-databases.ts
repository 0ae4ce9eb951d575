import { openWaiverPruning, type WaiverPruning } from '@waiver-service/guest-data/testing';
import { features } from '@waiver-service/host/features';
import { openWaitingLanes, type WaitingLanes } from '@waiver-service/outbox/testing';
import { openStore, type Store } from '@waiver-service/store';
import { type DatabaseSize, growDatabase, openPruning, type Pruning } from '@waiver-service/store/testing';
import type { Ground } from '../harness/ground.ts';
import { encryptionKeys } from './secrets.ts';

/** A filled database, opened as a host opens it. */
export interface GrownDatabase {
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
export interface GrownDatabases {
  readonly large: GrownDatabase;
  readonly small: GrownDatabase;
}

const largeSize: DatabaseSize = { pools: 10_000, waiversPerPool: 200 };
/** Large enough for all rows to prune from. */
const smallSize: DatabaseSize = { pools: 40, waiversPerPool: 200 };
// A prime, so that the order of the pools matches no storage order.
const stride = 7_907;
const leaseMs = 7_200_000;

async function openGrownDatabase(
  ground: Pick<Ground, 'defer'>,
  databaseUrl: string,
  size: DatabaseSize,
): Promise<GrownDatabase> {
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

async function fill(ground: Ground, size: DatabaseSize): Promise<GrownDatabase> {
  const { url: databaseUrl } = await ground.database();
  const migrated = await openStore({ databaseUrl, encryptionKeys, features });
  await migrated.close();
  await growDatabase(databaseUrl, size);
  return openGrownDatabase(ground, databaseUrl, size);
}

/** Fills both; the large one takes minutes. */
export async function openGrownDatabases(ground: Ground): Promise<GrownDatabases> {
  const small = await fill(ground, smallSize);
  const large = await fill(ground, { ...largeSize, pools: ground.size(largeSize.pools) });
  return { large, small };
}

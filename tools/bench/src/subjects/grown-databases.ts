import { openStore, type Store } from '@waiver-service/store';
import { type DatabaseSize, growDatabase, grownPoolId } from '@waiver-service/store/testing';
import type { Ground } from '../harness/ground.ts';
import { encryptionKeys } from './secrets.ts';

/** A filled database, opened as a host opens it. */
export interface GrownDatabase {
  readonly store: Store;
  readonly databaseUrl: string;
  readonly size: DatabaseSize;
  /** The id of one of its pools, another one at each call. */
  nextPool(): string;
}

/** A database after years, and one that was just set up. */
export interface GrownDatabases {
  readonly large: GrownDatabase;
  readonly small: GrownDatabase;
}

const largeSize: DatabaseSize = { pools: 10_000, waiversPerPool: 200, versionsPerWaiver: 3 };
const smallSize: DatabaseSize = { pools: 10, waiversPerPool: 200, versionsPerWaiver: 3 };
// A prime, so that the pools come in no order that anything is stored in.
const stride = 7_919;

async function open(ground: Ground, size: DatabaseSize): Promise<GrownDatabase> {
  const { url: databaseUrl } = await ground.database();
  const migrated = await openStore({ databaseUrl, encryptionKeys });
  await migrated.close();
  const startedAt = performance.now();
  await growDatabase(databaseUrl, size, (pools) => {
    if (pools % 1_000 === 0) {
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      console.error(`  ${pools} of ${size.pools} pools filled (${seconds} s)`);
    }
  });
  const store = await openStore({ databaseUrl, encryptionKeys });
  ground.defer(() => store.close());
  let calls = 0;
  return {
    store,
    databaseUrl,
    size,
    nextPool() {
      calls += 1;
      return grownPoolId(((calls * stride) % size.pools) + 1);
    },
  };
}

/** Fills both, which takes minutes for the large one. */
export async function openGrownDatabases(ground: Ground): Promise<GrownDatabases> {
  const small = await open(ground, smallSize);
  const large = await open(ground, { ...largeSize, pools: ground.size(largeSize.pools) });
  return { large, small };
}

import { type Kysely, sql } from 'kysely';
import type { Database, Tables } from '../database/database.ts';
import { hashSecret } from '../keys/secret.ts';
import { isFrozen } from '../moves/moving-pools.ts';
import { setupChannelName, type WakeChannel } from '../outbox/index.ts';

/**
 * Records, in the transaction by which a pool leaves this cell, that it lives in another: to callers there is no such
 * pool here any more. Its app pool keys must still be in the database.
 */
export async function recordMovedPool(
  transaction: Kysely<Tables>,
  { pool, cell }: { readonly pool: string; readonly cell: string },
): Promise<void> {
  await sql`
insert into moved_pool (pool, cell) values (${pool}, ${cell})
on conflict (pool) do update set cell = excluded.cell, moved_at = excluded.moved_at`.execute(transaction);
  await sql`
insert into moved_pool_key (hash, pool) select hash, pool from pool_key where pool = ${pool}
on conflict (hash) do nothing`.execute(transaction);
  await sql`select pg_notify(${setupChannelName}, '')`.execute(transaction);
}

/** Records, in the transaction by which a pool arrives in this cell, that it lives here, wherever it was before. */
export async function forgetMovedPool(transaction: Kysely<Tables>, pool: string): Promise<void> {
  await sql`delete from moved_pool where pool = ${pool}`.execute(transaction);
  await sql`select pg_notify(${setupChannelName}, '')`.execute(transaction);
}

/** Where the pools are that have left this cell. */
export interface MovedPools {
  /** The cell that a pool has moved to; undefined if it is here or was never here. */
  movedTo(pool: string): Promise<string | undefined>;
  /** The cell that the pool of an app pool key has moved to. Only that cell knows whether the key is still valid. */
  movedToByKey(key: string): Promise<string | undefined>;
  /**
   * Whether a pool has left, or may already be in the other cell while this one has not recorded it. Never cached: to be
   * asked before a caller is told that something of the pool does not exist.
   */
  mayBeElsewhere(pool: string): Promise<boolean>;
  close(): Promise<void>;
}

interface CachedAnswer {
  readonly cell: string | undefined;
  readonly expiresAt: number;
}

// An answer can be this old only if the notification of a move was lost.
const maxAgeMs = 1_000;
const maxCached = 10_000;

/** Creates the map of moved pools, with a cache that is cleared when `channel` reports a change. */
export function createMovedPools(database: Database, channel: WakeChannel): MovedPools {
  const cache = new Map<string, CachedAnswer>();
  let generation = 0;
  let listening: { close(): Promise<void> } | undefined;

  function clear(): void {
    generation += 1;
    cache.clear();
  }

  async function findCached(key: string, find: () => Promise<{ rows: { cell: string }[] }>) {
    listening ??= channel.listen({ onWake: clear });
    const now = performance.now();
    const cached = cache.get(key);
    if (cached !== undefined && cached.expiresAt > now) return cached.cell;
    const requestedIn = generation;
    const { rows } = await find();
    const cell = rows[0]?.cell;
    // Read before a change, so it may be outdated.
    if (requestedIn !== generation) return cell;
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, { cell, expiresAt: now + maxAgeMs });
    return cell;
  }

  return {
    movedTo: (pool) =>
      findCached(`pool ${pool}`, () =>
        sql<{ cell: string }>`select cell from moved_pool where pool = ${pool}`.execute(database),
      ),
    movedToByKey(key) {
      const hash = hashSecret(key);
      return findCached(`key ${hash.toString('base64')}`, () =>
        sql<{ cell: string }>`
select m.cell from moved_pool_key k join moved_pool m on m.pool = k.pool where k.hash = ${hash}`.execute(
          database,
        ),
      );
    },
    async mayBeElsewhere(pool) {
      const { rows } = await sql<{ elsewhere: boolean }>`
select exists (select from moved_pool where pool = ${pool}) or ${isFrozen(sql`${pool}::text`)} as elsewhere`.execute(
        database,
      );
      return rows[0]?.elsewhere === true;
    },
    close: async () => listening?.close(),
  };
}

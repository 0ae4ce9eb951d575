import type { Selectable } from 'kysely';
import type { PoolSetup } from '../configurations/configuration.ts';
import type { PoolSetups } from '../configurations/pool-setups.ts';
import { currentTime } from '../database/current-time.ts';
import type { PoolTable } from '../database/tables-configuration.ts';
import { decodeIdCursor, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';

/** An operator's app. */
export interface Pool {
  readonly id: string;
  readonly name: string;
  /** Properties that are pre-filled besides name, email and phoneNumber. */
  readonly prefillProperties: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A pool as an operator sets it; what is left out stays as it is. */
export interface PoolSettings {
  readonly id: string;
  readonly name: string;
  readonly prefillProperties?: readonly string[] | undefined;
}

/** The pools. */
export interface Pools {
  /** Makes a pool, or changes the one that has this id. */
  put(pool: PoolSettings): Promise<Pool>;
  get(id: string): Promise<Pool | undefined>;
  /** What has to be known of a pool to serve a request for it. */
  setup(id: string): Promise<PoolSetup | undefined>;
  /** By id. @throws MalformedCursor */
  list(page: PageRequest): Promise<Page<Pool>>;
}

/** Makes the part of the store that holds pools. */
export function createPools({ database }: StoreContext, setups: PoolSetups): Pools {
  return {
    async put({ id, name, prefillProperties }) {
      const given = prefillProperties === undefined ? {} : { prefill_properties: [...prefillProperties] };
      const row = await database
        .insertInto('pool')
        .values({ id, name, ...given })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({ name, ...given, updated_at: currentTime }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return poolOf(row);
    },
    async get(id) {
      const row = await database.selectFrom('pool').selectAll().where('id', '=', id).executeTakeFirst();
      return row && poolOf(row);
    },
    setup: (id) => setups.ofPool(id),
    async list({ limit, cursor }) {
      let query = database
        .selectFrom('pool')
        .selectAll()
        .orderBy('id')
        .limit(limit + 1);
      if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(cursor));
      return pageOf(await query.execute(), limit, ({ id }) => [id], poolOf);
    },
  };
}

function poolOf(row: Selectable<PoolTable>): Pool {
  return {
    id: row.id,
    name: row.name,
    prefillProperties: row.prefill_properties,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

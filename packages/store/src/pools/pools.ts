import { type Selectable, sql } from 'kysely';
import type { PoolSetup } from '../configurations/configuration.ts';
import type { PoolSetups } from '../configurations/pool-setups.ts';
import { currentTime, type DatabaseTransaction } from '../database/database.ts';
import type { InstallPolicy, PoolTable } from '../database/tables-configuration.ts';
import { decodeIdCursor, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import { inPools } from './in-pools.ts';

/** One app of an operator. */
export interface Pool {
  readonly id: string;
  readonly name: string;
  /** Properties to pre-fill besides name, email and phoneNumber. */
  readonly prefillProperties: readonly string[];
  readonly installs: InstallPolicy;
  /** Used for requests that name no booking system. Null if each request must name one. */
  readonly defaultBookingSystem: string | null;
  /** How many days after a visit its waiver is removed; null: never. */
  readonly retentionWaiversDays: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Omitted fields of an existing pool stay unchanged. */
export interface PoolSettings {
  readonly id: string;
  readonly name: string;
  readonly prefillProperties?: readonly string[] | undefined;
  readonly installs?: InstallPolicy | undefined;
  readonly defaultBookingSystem?: string | null | undefined;
  readonly retentionWaiversDays?: number | null | undefined;
}

/** A pool's default booking system is not installed for it, or not approved. */
export class DefaultNotInstalled extends Error {
  override readonly name = 'DefaultNotInstalled';
}

export interface Pools {
  /** Creates a pool, or changes the one with this id. @throws DefaultNotInstalled */
  put(pool: PoolSettings): Promise<Pool>;
  get(id: string): Promise<Pool | undefined>;
  /** Everything that serving a request for a pool takes. */
  setup(id: string): Promise<PoolSetup | undefined>;
  /** By id; only those of `pools` if given. @throws MalformedCursor */
  list(page: PageRequest, pools?: readonly string[]): Promise<Page<Pool>>;
}

export function createPools({ database }: StoreContext, setups: PoolSetups): Pools {
  return {
    put: ({ id, name, prefillProperties, installs, defaultBookingSystem, retentionWaiversDays }) =>
      database.transaction().execute(async (transaction) => {
        // Kysely omits columns that are undefined.
        const columns = {
          name,
          prefill_properties: prefillProperties?.slice(),
          installs,
          default_booking_system: defaultBookingSystem,
          retention_waivers_days: retentionWaiversDays,
        };
        // Locks the pool, as installing and uninstalling do, so that the default is still installed at the commit.
        const row = await transaction
          .insertInto('pool')
          .values({ id, ...columns })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ ...columns, updated_at: currentTime }),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        if (defaultBookingSystem) await requireInstalled(transaction, id, defaultBookingSystem);
        return poolOf(row);
      }),
    async get(id) {
      const row = await database.selectFrom('pool').selectAll().where('id', '=', id).executeTakeFirst();
      return row && poolOf(row);
    },
    setup: (id) => setups.ofPool(id),
    async list({ limit, cursor }, pools) {
      let query = database
        .selectFrom('pool')
        .selectAll()
        .where(inPools(sql.ref('id'), pools))
        .orderBy('id')
        .limit(limit + 1);
      if (cursor !== undefined) query = query.where('id', '>', decodeIdCursor(cursor));
      return pageOf(await query.execute(), limit, ({ id }) => [id], poolOf);
    },
  };
}

async function requireInstalled(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
): Promise<void> {
  const installed = await transaction
    .selectFrom('installation')
    .select('booking_system')
    .where('pool', '=', pool)
    .where('status', '=', 'installed')
    .orderBy('booking_system')
    .execute();
  const names = installed.map((row) => row.booking_system);
  if (names.includes(bookingSystem)) return;
  const others = names.length === 0 ? 'none is' : `these are: ${names.join(', ')}`;
  throw new DefaultNotInstalled(
    `${JSON.stringify(bookingSystem)} is not installed for this pool, or waits for approval; ${others}`,
  );
}

function poolOf(row: Selectable<PoolTable>): Pool {
  return {
    id: row.id,
    name: row.name,
    prefillProperties: row.prefill_properties,
    installs: row.installs,
    defaultBookingSystem: row.default_booking_system,
    retentionWaiversDays: row.retention_waivers_days,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

import type { Selectable } from 'kysely';
import type { PoolSetup } from '../configurations/configuration.ts';
import type { PoolSetups } from '../configurations/pool-setups.ts';
import { currentTime, type DatabaseTransaction } from '../database/database.ts';
import type { InstallPolicy, PoolTable } from '../database/tables-configuration.ts';
import { decodeIdCursor, pageOf } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';

/** An operator's app. */
export interface Pool {
  readonly id: string;
  readonly name: string;
  /** Properties that are pre-filled besides name, email and phoneNumber. */
  readonly prefillProperties: readonly string[];
  readonly installs: InstallPolicy;
  /** What a request means that names no booking system; null where each has to name one of several. */
  readonly defaultBookingSystem: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A pool as an operator sets it; what is left out stays as it is. */
export interface PoolSettings {
  readonly id: string;
  readonly name: string;
  readonly prefillProperties?: readonly string[] | undefined;
  readonly installs?: InstallPolicy | undefined;
  readonly defaultBookingSystem?: string | null | undefined;
}

/** The default of a pool must be installed for it, and approved. */
export class DefaultNotInstalled extends Error {
  override readonly name = 'DefaultNotInstalled';
}

/** The pools. */
export interface Pools {
  /** Makes a pool, or changes the one that has this id. @throws DefaultNotInstalled */
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
    put: ({ id, name, ...settings }) =>
      database.transaction().execute(async (transaction) => {
        const given = givenColumns(settings);
        // Locks the pool's row, as installing does: what is checked afterwards stays so until the commit.
        const row = await transaction
          .insertInto('pool')
          .values({ id, name, ...given })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ name, ...given, updated_at: currentTime }),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        if (settings.defaultBookingSystem) {
          await requireInstalled(transaction, id, settings.defaultBookingSystem);
        }
        return poolOf(row);
      }),
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

function givenColumns(settings: Omit<PoolSettings, 'id' | 'name'>) {
  const { prefillProperties, installs, defaultBookingSystem } = settings;
  return {
    ...(prefillProperties === undefined ? {} : { prefill_properties: [...prefillProperties] }),
    ...(installs === undefined ? {} : { installs }),
    ...(defaultBookingSystem === undefined ? {} : { default_booking_system: defaultBookingSystem }),
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
  const there = names.length === 0 ? 'none is' : `these are: ${names.join(', ')}`;
  throw new DefaultNotInstalled(
    `${JSON.stringify(bookingSystem)} is not installed for this pool, or waits for approval; ${there}`,
  );
}

function poolOf(row: Selectable<PoolTable>): Pool {
  return {
    id: row.id,
    name: row.name,
    prefillProperties: row.prefill_properties,
    installs: row.installs,
    defaultBookingSystem: row.default_booking_system,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

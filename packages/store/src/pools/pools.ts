import type { Pool, PoolSettings } from '@waiver-service/api';
import type { Page, PageRequest } from '@waiver-service/database';
import { currentTime, definedColumns, idOfCursor, pageById } from '@waiver-service/database';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import { inPools } from './in-pools.ts';
import type { PoolSetup, PoolSetups } from './pool-setups.ts';

/** A pool's default booking system is not installed for it, or not approved. */
export class DefaultNotInstalled extends Error {
  override readonly name = 'DefaultNotInstalled';
}

const poolColumns = sql`id, name, prefill_properties, installs,
  default_booking_system, json_build_object('waiversDays', retention_waivers_days) as retention, time_zone,
  created_at, updated_at`;

export function createPools({ database, notifications }: StoreContext, setups: PoolSetups) {
  return {
    /** Creates a pool, or changes the one with this id. @throws DefaultNotInstalled */
    async put({ id, retention, ...settings }: PoolSettings & { readonly id: string }): Promise<Pool> {
      const pool = await database.transaction().execute(async (transaction) => {
        const { names, values, assignments } = definedColumns({
          ...settings,
          retentionWaiversDays: retention?.waiversDays,
          updatedAt: currentTime,
        });
        // Locks the pool, as installing and uninstalling do, so that the default is still installed at the commit.
        const { rows } = await sql<Pool>`
insert into pool (id, ${names}) values (${id}, ${values})
on conflict (id) do update set ${assignments}
returning ${poolColumns}`.execute(transaction);
        const { defaultBookingSystem } = settings;
        if (defaultBookingSystem) await requireInstalled(transaction, id, defaultBookingSystem);
        if (rows[0] === undefined) throw new Error(`pool ${id} was written but not returned`);
        return rows[0];
      });
      notifications.announce('setups');
      return pool;
    },
    async get(id: string): Promise<Pool | undefined> {
      const { rows } = await sql<Pool>`select ${poolColumns} from pool where id = ${id}`.execute(database);
      return rows[0];
    },
    /** Everything that serving a request for a pool needs. */
    setup: (id: string): Promise<PoolSetup | undefined> => setups.ofPool(id),
    /** By id; only those of `pools` if given. @throws MalformedCursor */
    async list({ limit, cursor }: PageRequest, pools?: readonly string[]): Promise<Page<Pool>> {
      const { rows } = await sql<Pool>`
select ${poolColumns} from pool where id > ${idOfCursor(cursor)} and ${inPools(sql`id`, pools)}
order by id limit ${limit + 1}`.execute(database);
      return pageById(rows, limit);
    },
  };
}

async function requireInstalled(
  transaction: DatabaseTransaction,
  pool: string,
  bookingSystem: string,
): Promise<void> {
  const { rows } = await sql<{ bookingSystem: string }>`
select booking_system from installation where pool = ${pool} and status = 'installed'
order by booking_system`.execute(transaction);
  const names = rows.map((row) => row.bookingSystem);
  if (names.includes(bookingSystem)) return;
  const others = names.length === 0 ? 'none is' : `these are: ${names.join(', ')}`;
  throw new DefaultNotInstalled(
    `${JSON.stringify(bookingSystem)} is not installed for this pool, or waits for approval; ${others}`,
  );
}

import {
  type AccessToken,
  type AccessTokenSettings,
  type Pool,
  type PoolSettings,
  tokenScopes,
} from '@waiver-service/api';
import {
  currentTime,
  definedColumns,
  idOfCursor,
  type Page,
  type PageRequest,
  pageById,
} from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { DatabaseTransaction } from '../database/tables.ts';
import { generateSecret } from '../keys/secret.ts';
import type { StoreContext } from '../store-context.ts';
import type { PoolSetup, PoolSetups, TokenSetup } from './pool-setups.ts';

/** The condition that a column names one of the pools; null and `undefined` mean all. */
export function inPools(
  column: RawBuilder<unknown>,
  pools: readonly string[] | null | undefined,
): RawBuilder<boolean> {
  if (pools === undefined || pools === null) return sql`true`;
  const [first] = pools;
  // An index on the pool and the id yields one pool in list order, but not several.
  if (pools.length === 1) return sql`${column} = ${first}`;
  return sql`${column} = any(${[...pools]}::text[])`;
}

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

/** The tokens with which a pool's waiver app authenticates. */
export interface AccessTokens extends ReturnType<typeof createAccessTokens> {}

export function createAccessTokens({ database, notifications }: StoreContext, setups: PoolSetups) {
  return {
    /** `token` cannot be read again. Rejects for an unknown pool. */
    async create(
      pool: string,
      { name, scopes = [...tokenScopes], expiresAt }: AccessTokenSettings = {},
    ): Promise<{ id: string; token: string }> {
      const id = uuidv7();
      const { secret, hash, hint } = generateSecret('wst');
      await database
        .insertInto('accessToken')
        .values({ id, pool, hash, hint, name: name ?? null, scopes, expiresAt: expiresAt ?? null })
        .execute();
      return { id, token: secret };
    },
    /** A valid token with its pool's current setup; undefined if it is unknown or expired. */
    verify: (token: string): Promise<TokenSetup | undefined> => setups.ofToken(token),
    /** Oldest first, including expired ones. @throws MalformedCursor */
    async list(pool: string, { limit, cursor }: PageRequest): Promise<Page<AccessToken>> {
      const { rows } = await sql<AccessToken>`
select id, name, scopes, hint, created_at, last_used_at, expires_at
from access_token where pool = ${pool} and id > ${idOfCursor(cursor)}
order by id limit ${limit + 1}`.execute(database);
      return pageById(rows, limit);
    },
    /** @returns false if the pool has no such token */
    async remove(pool: string, id: string): Promise<boolean> {
      const { numDeletedRows: numAffectedRows } = await database
        .deleteFrom('accessToken')
        .where('pool', '=', pool)
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      notifications.announce('setups');
      return numAffectedRows === 1n;
    },
  };
}

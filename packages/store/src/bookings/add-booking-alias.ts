import { retryDeadlock } from '@waiver-service/database';
import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { idsOfBooking, referenceOf } from '../database/booking-ids.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import type { QueriedInstallation } from './stored-bookings.ts';

/*
 * An alias leads to a booking's own id, which is never an alias itself:
 *
 *   (none) ── a read by `alias` answers `bookingId` ──▶ alias ▸ own id of bookingId
 *          ── a read by that own id answers another ──▶ alias ▸ the other one, and the former own id becomes an alias
 *
 * Waivers keep the id they were signed under, so every query for a booking's waivers matches all of its ids. Messages
 * queued under an alias move to the own id's lane one by one, as they come up: see `moveToLanes` in `outbox/record-attempts.ts`.
 */

/** Another id of a booking, as its booking system has just returned it. */
export interface NewAlias extends BookingKey {
  /** The id that was requested; `bookingId` is the one that the booking system returned. */
  readonly alias: string;
  /** Where it was read; nothing is noted if the pool has installed another account, or the address has changed since. */
  readonly queried?: QueriedInstallation | undefined;
}

/**
 * The outcome of noting an alias. `contradicted`: the two ids were known the other way around; the newer response wins.
 */
export type AliasOutcome = 'noted' | 'contradicted' | 'not-installed';

/** How long an alias is kept without a waiver of its booking. */
const aliasRetention = sql`interval '30 days'`;

/** Locks the installation against an uninstall. */
async function lockInstalled(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, queried }: NewAlias,
): Promise<boolean> {
  const { rows } = await sql<QueriedInstallation>`
select destination_id as destination, address_version from installation
where pool = ${pool} and booking_system = ${bookingSystem} and status = 'installed' for share`.execute(
    transaction,
  );
  const [installed] = rows;
  if (installed === undefined || queried === undefined) return installed !== undefined;
  return installed.destination === queried.destination && installed.addressVersion === queried.addressVersion;
}

async function readAlias(
  transaction: DatabaseTransaction,
  { pool, bookingSystem }: BookingKey,
  id: string,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('bookingAlias')
    .select('bookingId as id')
    .where('pool', '=', pool)
    .where('bookingSystem', '=', bookingSystem)
    .where('alias', '=', id)
    .executeTakeFirst();
  return row?.id;
}

/** Points an id and its own aliases to the booking's own id. */
async function pointTo(
  transaction: DatabaseTransaction,
  { pool, bookingSystem, alias }: NewAlias,
  own: string,
): Promise<void> {
  const of = sql`pool = ${pool} and booking_system = ${bookingSystem}`;
  await transaction.deleteFrom('bookingAlias').where(sql<boolean>`${of}`).where('alias', '=', own).execute();
  await transaction
    .updateTable('bookingAlias')
    .set({ bookingId: own })
    .where(sql<boolean>`${of}`)
    .where('bookingId', '=', alias)
    .execute();
  await sql`
insert into booking_alias (pool, booking_system, alias, booking_id, prune_at)
values (${pool}, ${bookingSystem}, ${alias}, ${own}, now() + ${aliasRetention})
on conflict (pool, booking_system, alias)
do update set booking_id = excluded.booking_id, prune_at = excluded.prune_at`.execute(transaction);
}

/** Notes another id of a booking. Idempotent. Notes nothing if the booking system is no longer installed. */
export function addBookingAlias(database: Database, given: NewAlias): Promise<AliasOutcome> {
  const { pool, bookingSystem, alias, bookingId } = given;
  return retryDeadlock(() =>
    database.transaction().execute(async (transaction) => {
      if (!(await lockInstalled(transaction, given))) return 'not-installed';
      // Serialized, so that an alias never points to another alias.
      const lock = JSON.stringify(['booking alias', pool, bookingSystem]);
      await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction);
      const known = await readAlias(transaction, given, bookingId);
      const isContradicted = known === alias;
      // The returned id may have become an alias while the response was in transit.
      const own = known === undefined || isContradicted ? bookingId : known;
      if ((await readAlias(transaction, given, alias)) !== own) await pointTo(transaction, given, own);
      return isContradicted ? 'contradicted' : 'noted';
    }),
  );
}

/**
 * Deletes a batch of due aliases whose bookings have no waiver under any id, and extends the others. A waiver being
 * stored under a deleted alias at this moment follows its booking after the next read.
 *
 * @returns the number of due aliases
 */
export async function pruneAliases(database: Database, maxBatchSize: number): Promise<number> {
  const { rows } = await sql<{ due: number }>`
with due as materialized (
  select a.pool, a.booking_system, a.alias, a.booking_id from booking_alias a
  where a.prune_at <= now() order by a.prune_at limit ${maxBatchSize} for update skip locked),
used as materialized (
  select d.* from due d where exists (
    select from (${idsOfBooking(referenceOf('d'))}) o join waiver w on w.pool = d.pool and w.booking_id = o.id
      and w.booking_system = d.booking_system)),
kept as (
  update booking_alias a set prune_at = now() + ${aliasRetention} from used u
  where a.pool = u.pool and a.booking_system = u.booking_system and a.alias = u.alias),
pruned as (
  delete from booking_alias where (pool, booking_system, alias) in (
    select pool, booking_system, alias from due except select pool, booking_system, alias from used))
select count(*)::integer as due from due`.execute(database);
  return rows[0]?.due ?? 0;
}

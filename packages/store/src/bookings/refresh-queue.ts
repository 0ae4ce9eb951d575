import { hash } from 'node:crypto';
import { milliseconds, prepared, rowsOf } from '@waiver-service/database';
import { sql } from 'kysely';
import { ownBookingId } from '../database/booking-ids.ts';
import type { Database } from '../database/tables.ts';

/** A booking to read again. */
export interface RefreshRequest {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly bookingId: string;
  /** Including this attempt. */
  readonly attempts: number;
  /** Incremented by each request for the booking, so that one made during an attempt is not lost. */
  readonly request: number;
}

const hourMs = 3_600_000;
const waitsMs: readonly number[] = [10_000, 60_000, 300_000, 1_800_000];

/** Milliseconds to wait after a failed attempt (counted from 1); an hour from the fifth on. */
export const refreshWaitMs = (attempts: number): number => waitsMs[attempts - 1] ?? hourMs;

/** Attempts before a request is dropped: enough to survive a morning's outage of the booking system. */
export const maxRefreshAttempts = 9;

/** Details of a booking system's announcement of changed bookings. */
export interface InboundMessage {
  /** Whether earlier announcements were lost, so that every booking with a stored response may have changed. */
  readonly missedCalls?: boolean | undefined;
  /** The vendor's message id: nothing is queued if it was received before. */
  readonly messageId?: string | undefined;
}

/** How bookings are queued. */
export interface QueueOptions extends InboundMessage {
  /** Does not restart a booking that is already queued: anyone with a link can request a read again and again. */
  readonly leavesQueued?: boolean | undefined;
}

/** The maximum number of bookings queued to be read again, per installation. */
export const maxQueuedRefreshes = 10_000;

/**
 * Queues bookings to be read again as soon as possible. A booking is queued only once, whichever id names it; a
 * repeated request restarts its attempts, unless `leavesQueued`. Queues nothing if the booking system is not installed.
 *
 * @returns false if {@link maxQueuedRefreshes} are already queued: nothing was added, and the message is not recorded
 */
export async function requestRefresh(
  database: Database,
  pool: string,
  bookingSystem: string,
  bookingIds: readonly string[],
  { missedCalls = false, messageId, leavesQueued = false }: QueueOptions = {},
): Promise<boolean> {
  const message = messageId === undefined ? null : hash('sha256', messageId, 'buffer');
  // Rows are inserted in id order, so that concurrent calls cannot deadlock.
  const ownId = ownBookingId({
    pool: sql`t.pool`,
    bookingSystem: sql`t.booking_system`,
    bookingId: sql`b.id`,
  });
  const { rows } = await sql<{ hasRoom: boolean }>`
with room as materialized (
  select count(*) < ${maxQueuedRefreshes}::integer as has_room from (
    select from booking_refresh r where r.pool = ${pool} and r.booking_system = ${bookingSystem}
    limit ${maxQueuedRefreshes}::integer) q),
target as (
  select i.pool, i.booking_system from room, installation i
  where has_room and i.pool = ${pool} and i.booking_system = ${bookingSystem} and i.status = 'installed'),
fresh as (
  insert into inbound_message (pool, booking_system, message)
  select pool, booking_system, ${message}::bytea from target where ${message}::bytea is not null
  on conflict do nothing returning message),
changed as (
  select ${ownId} as id from target t cross join unnest(${[...bookingIds]}::text[]) b (id)
  union
  select c.booking_id from cached_booking c
  where ${missedCalls}::boolean and c.pool = ${pool} and c.booking_system = ${bookingSystem}),
queued as (
  insert into booking_refresh (pool, booking_system, booking_id, due_at)
  select t.pool, t.booking_system, c.id, now() from target t cross join changed c
  where ${message}::bytea is null or exists (select from fresh)
  order by c.id collate "C"
  on conflict (pool, booking_system, booking_id)
  do update set request = booking_refresh.request + 1, attempts = 0, due_at = now()
    where not ${leavesQueued}::boolean)
select has_room from room`.execute(database);
  return rows[0]?.hasRoom ?? true;
}

/** The installation at which a claim ended. */
export interface RefreshPosition {
  readonly pool: string;
  readonly bookingSystem: string;
}

/** The limits of a claim. */
export interface RefreshClaim {
  /** The maximum in total. */
  readonly limit: number;
  /** The maximum for each unlisted installation. */
  readonly perInstallation: number;
  /** Individual maxima, for installations with refreshes in progress or failures. */
  readonly listed: readonly {
    readonly pool: string;
    readonly bookingSystem: string;
    readonly free: number;
  }[];
  /** A request that is not finished within this time becomes due again. */
  readonly leaseMs: number;
  /** Where the previous claim ended; undefined to start over. */
  readonly after: RefreshPosition | undefined;
}

/** The result of a claim. */
export interface ClaimedRefreshes {
  readonly requests: RefreshRequest[];
  /** Where to continue; undefined if every installation had its turn. */
  readonly after: RefreshPosition | undefined;
}

// Each step is one index probe.
const maxInstallationsPerClaim = 200;

interface ClaimRow {
  readonly claimed: RefreshRequest[];
  readonly last: RefreshPosition | null;
  readonly steps: number;
}

/** Claims due requests installation by installation, so that a long queue of one does not delay the others. */
export async function claimRefreshes(
  database: Database,
  { limit, perInstallation, listed, leaseMs, after }: RefreshClaim,
): Promise<ClaimedRefreshes> {
  const { pool, bookingSystem } = after ?? { pool: '', bookingSystem: '' };
  const { rows } = await sql<ClaimRow>`${prepared}
with recursive walk (pool, booking_system, step) as (
  (select r.pool, r.booking_system, 1 from booking_refresh r
    where (r.pool, r.booking_system) > (${pool}, ${bookingSystem}) order by r.pool, r.booking_system limit 1)
  union all
  select n.pool, n.booking_system, w.step + 1 from walk w cross join lateral (
    select r.pool, r.booking_system from booking_refresh r
    where (r.pool, r.booking_system) > (w.pool, w.booking_system) order by r.pool, r.booking_system limit 1) n
  where w.step < ${maxInstallationsPerClaim}::integer),
listed as (
  select * from ${rowsOf(listed, 'l', { pool: 'text', bookingSystem: 'text', free: 'integer' })}),
due as materialized (
  select p.* from walk w left join listed l on l.pool = w.pool and l.booking_system = w.booking_system
  cross join lateral (
    select r.pool, r.booking_system, r.booking_id, w.step from booking_refresh r
    where r.pool = w.pool and r.booking_system = w.booking_system and r.due_at <= now()
      and r.attempts < ${maxRefreshAttempts}::integer
    order by r.due_at limit coalesce(l.free, ${perInstallation}::integer) for update skip locked) p
  limit ${limit}::integer),
claimed as (
  update booking_refresh r
  set attempts = r.attempts + 1, due_at = now() + ${milliseconds(leaseMs)}
  from due where r.pool = due.pool and r.booking_system = due.booking_system and r.booking_id = due.booking_id
  returning r.pool, r.booking_system, r.booking_id, r.attempts, r.request, due.step)
select coalesce((select json_agg(json_build_object('pool', pool, 'bookingSystem', booking_system,
    'bookingId', booking_id, 'attempts', attempts, 'request', request)) from claimed), '[]') as claimed,
  (select json_build_object('pool', pool, 'bookingSystem', booking_system) from walk
    where step = case when (select count(*) from claimed) = ${limit}::integer
      then (select max(step) from claimed) else (select max(step) from walk) end) as last,
  (select count(*) from walk) as steps`.execute(database);
  const [row] = rows;
  if (row === undefined) return { requests: [], after: undefined };
  const isCutShort = row.claimed.length === limit || row.steps === maxInstallationsPerClaim;
  return { requests: row.claimed, after: (isCutShort && row.last) || undefined };
}

/** How an attempt ended. `postponed` does not count as an attempt. */
export type RefreshOutcome =
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed' | 'postponed'; readonly waitMs: number };

/**
 * Records the end of an attempt: the request is done, dropped, or due again later. A newer request for the booking
 * stays queued.
 */
export async function finishRefresh(
  database: Database,
  { pool, bookingSystem, bookingId, attempts, request }: RefreshRequest,
  result: RefreshOutcome,
): Promise<void> {
  const row = sql`pool = ${pool} and booking_system = ${bookingSystem} and booking_id = ${bookingId} and request = ${request}`;
  if (result.outcome === 'done' || (result.outcome === 'failed' && attempts >= maxRefreshAttempts)) {
    await sql`delete from booking_refresh where ${row}`.execute(database);
    return;
  }
  const counted = result.outcome === 'failed' ? attempts : attempts - 1;
  await sql`
update booking_refresh set attempts = ${counted}::integer,
  due_at = now() + ${milliseconds(result.waitMs)} where ${row}`.execute(database);
}

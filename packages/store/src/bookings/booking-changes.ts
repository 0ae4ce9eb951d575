import { milliseconds, prepared, retryDeadlock } from '@waiver-service/database';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import { requestRefresh } from './refresh-queue.ts';

/*
 * Each installation of a booking system that reports changes has one row, with the cursor of the last call:
 *
 *   waiting ── due ──▶ claimed, due again at the end of the lease ── reported ──▶ waiting, with the next cursor
 *                                                                  ── failed, postponed ──▶ waiting, the cursor stays
 *
 * Claims are numbered: a result is discarded if the lease expired and another host has claimed the row since. A row's
 * numbers start at its creation time, so that a claim on a row deleted by an uninstall or a change of the address never
 * matches its successor.
 */

/** A claimed call for changes. */
export interface ChangesClaim {
  readonly pool: string;
  readonly bookingSystem: string;
  /** From the last call; null if there was none. */
  readonly cursor: string | null;
  /** The number of failures in a row before this call. */
  readonly failures: number;
  readonly claim: string;
  readonly request: string;
}

/** The limits of a claim. */
export interface ChangesClaimLimits {
  /** The booking systems that report changes. */
  readonly bookingSystems: readonly string[];
  readonly limit: number;
  /** A call not finished within this time is repeated. */
  readonly leaseMs: number;
}

/** The result of a call. */
export interface ReportedChanges {
  readonly bookingIds: readonly string[];
  /** Whether every booking with a stored response may have changed. */
  readonly missedCalls?: boolean;
  /** Null to start over. */
  readonly cursor: string | null;
  /** Milliseconds until the next call; null to wait for a request. */
  readonly waitMs: number | null;
}

/** Too many bookings are queued to be read again. */
class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

const fullQueueWaitMs = 60_000;

/** Adds missing rows; an installation without one is not asked for changes. */
async function addMissing(database: Database, bookingSystems: readonly string[]): Promise<void> {
  await sql`
insert into booking_changes (pool, booking_system, due_at, claim)
select i.pool, i.booking_system, now(), (extract(epoch from clock_timestamp()) * 1000000)::bigint from installation i
where i.status = 'installed' and i.booking_system = any (${[...bookingSystems]}::text[])
  and not exists (
    select from booking_changes c where c.pool = i.pool and c.booking_system = i.booking_system)
order by i.pool, i.booking_system
on conflict do nothing`.execute(database);
}

const wait = (waitMs: number | null) =>
  waitMs === null ? sql`'infinity'::timestamptz` : sql`now() + ${milliseconds(waitMs)}`;

/** When the call after a claim is due: at once if one was requested meanwhile. */
const dueAfter = ({ request }: ChangesClaim, waitMs: number | null) =>
  sql`case when request = ${request}::bigint then ${wait(waitMs)} else now() end`;

const claimed = ({ pool, bookingSystem, claim }: ChangesClaim) =>
  sql`pool = ${pool} and booking_system = ${bookingSystem} and claim = ${claim}::bigint`;

/** @throws QueueFull */
async function report(
  transaction: DatabaseTransaction,
  claim: ChangesClaim,
  { bookingIds, missedCalls, cursor, waitMs }: ReportedChanges,
): Promise<void> {
  const { rows } = await sql`
update booking_changes set cursor = ${cursor}, failures = 0, claimed = false, due_at = ${dueAfter(claim, waitMs)}
where ${claimed(claim)} returning 1`.execute(transaction);
  if (rows.length === 0) return;
  const { pool, bookingSystem } = claim;
  if (!(await requestRefresh(transaction, pool, bookingSystem, bookingIds, { missedCalls }))) {
    throw new QueueFull(`too many bookings of ${pool} in ${bookingSystem} wait to be read again`);
  }
}

async function postpone(database: Database, claim: ChangesClaim, waitMs: number, isFailure: boolean) {
  await sql`
update booking_changes set failures = failures + ${isFailure ? 1 : 0}::integer, claimed = false,
  due_at = ${dueAfter(claim, waitMs)}
where ${claimed(claim)}`.execute(database);
}

/** Calls that ask booking systems for changes, made by one host at a time for each installation. */
export function createBookingChangesQueue({ database }: Pick<StoreContext, 'database'>) {
  return {
    /** Claims due calls, longest overdue first. */
    async claim({ bookingSystems, limit, leaseMs }: ChangesClaimLimits): Promise<readonly ChangesClaim[]> {
      await addMissing(database, bookingSystems);
      const { rows } = await sql<ChangesClaim>`${prepared}
with due as materialized (
  select c.pool, c.booking_system from booking_changes c
  join installation i on i.pool = c.pool and i.booking_system = c.booking_system and i.status = 'installed'
  where c.due_at <= now() and c.booking_system = any (${[...bookingSystems]}::text[])
  order by c.due_at limit ${limit}::integer for update of c skip locked)
update booking_changes c set claim = c.claim + 1, claimed = true, due_at = ${wait(leaseMs)}
from due d where c.pool = d.pool and c.booking_system = d.booking_system
returning c.pool, c.booking_system, c.cursor, c.failures, c.claim::text, c.request::text`.execute(database);
      return rows;
    },
    /**
     * Queues the bookings to be read again and stores the cursor, atomically. If the queue is full, the call is repeated
     * a minute later, from the same cursor.
     */
    async report(claim: ChangesClaim, changes: ReportedChanges): Promise<void> {
      try {
        await retryDeadlock(() =>
          database.transaction().execute((transaction) => report(transaction, claim, changes)),
        );
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        await postpone(database, claim, fullQueueWaitMs, false);
      }
    },
    /** Repeats the call later, from the same cursor. `isFailure`: whether this adds to `failures`. */
    postpone: (claim: ChangesClaim, waitMs: number, isFailure: boolean): Promise<void> =>
      postpone(database, claim, waitMs, isFailure),
    /** Makes an installation's call due as soon as possible. @returns false if it has no cursor yet */
    async request(pool: string, bookingSystem: string): Promise<boolean> {
      const { rows } = await sql<{ wasQueried: boolean }>`
update booking_changes set request = request + 1, due_at = case when claimed then due_at else now() end
where pool = ${pool} and booking_system = ${bookingSystem}
returning cursor is not null as was_queried`.execute(database);
      return rows[0]?.wasQueried ?? false;
    },
  };
}

import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** A booking that is to be read again. */
export interface RefreshRequest {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly bookingId: string;
  /** Tries, this one included. */
  readonly attempts: number;
  /** Counts the requests for this booking: one that came in meanwhile is a request of its own. */
  readonly request: number;
}

/** After this many tries a request is given up. */
export const mostAttempts = 5;

/** Asks for bookings to be read again, at once; a booking waits only once. Nothing where nothing is installed. */
export async function requestRefresh(
  database: Database,
  pool: string,
  bookingSystem: string,
  bookingIds: readonly string[],
): Promise<void> {
  // In one order everywhere, or two calls at once could wait for each other.
  const distinct = [...new Set(bookingIds)].sort();
  await sql`
    insert into booking_refresh (pool, booking_system, booking_id, due_at)
    select i.pool, i.booking_system, b.id, now()
    from installation i cross join unnest(${distinct}::text[]) b(id)
    where i.pool = ${pool} and i.booking_system = ${bookingSystem} and i.status = 'installed'
    on conflict (pool, booking_system, booking_id)
    do update set request = booking_refresh.request + 1, attempts = 0, due_at = now()`.execute(database);
}

/** Takes what is due; what is not finished within `leaseMs` comes again. */
export async function claimRefreshes(
  database: Database,
  limit: number,
  leaseMs: number,
): Promise<RefreshRequest[]> {
  const { rows } = await sql<{
    pool: string;
    booking_system: string;
    booking_id: string;
    attempts: number;
    request: number;
  }>`
    update booking_refresh r
    set attempts = r.attempts + 1, due_at = now() + ${leaseMs} * interval '1 millisecond'
    from (
      select pool, booking_system, booking_id from booking_refresh
      where due_at <= now() and attempts < ${mostAttempts}
      order by due_at limit ${limit} for update skip locked
    ) due
    where r.pool = due.pool and r.booking_system = due.booking_system and r.booking_id = due.booking_id
    returning r.pool, r.booking_system, r.booking_id, r.attempts, r.request`.execute(database);
  return rows.map(({ booking_system: bookingSystem, booking_id: bookingId, ...row }) => ({
    ...row,
    bookingSystem,
    bookingId,
  }));
}

/** Ends a try: the request is done, given up, or comes again. A newer request for the booking is left as it is. */
export async function finishRefresh(
  database: Database,
  { pool, bookingSystem, bookingId, attempts, request }: RefreshRequest,
  { ok, waitMs = 0 }: { readonly ok: boolean; readonly waitMs?: number },
): Promise<void> {
  const row = sql`pool = ${pool} and booking_system = ${bookingSystem} and booking_id = ${bookingId} and request = ${request}`;
  if (ok || attempts >= mostAttempts) {
    await sql`delete from booking_refresh where ${row}`.execute(database);
    return;
  }
  await sql`update booking_refresh set due_at = now() + ${waitMs}::integer * interval '1 millisecond' where ${row}`.execute(
    database,
  );
}

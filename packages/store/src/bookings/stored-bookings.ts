import {
  bookingForms,
  bookingSchema,
  type FetchedBooking,
  isInvalidBookingResponse,
  makeSignable,
  warningCodes,
} from '@waiver-service/core';
import { type LockTimeout, limitsLockWait, prepared, rowsOf } from '@waiver-service/database';
import { type BookingKey, lastMomentOf } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { z } from 'zod';
import { bookingTypes, idsOfBooking, referenceOf } from '../database/booking-ids.ts';
import { notify } from '../database/notifications.ts';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { followedHash, responseJson } from '../waivers/readings.ts';

/** How long a stored response may be served while the booking system does not respond. */
export const maxBookingAge = sql`interval '24 hours'`;

const fetchedSchema = z.object({
  form: z.enum(bookingForms),
  booking: bookingSchema,
  warnings: z.array(
    z.object({ code: z.enum(warningCodes), path: z.string().optional(), message: z.string() }),
  ),
});

/**
 * Parses a stored response; undefined if another release stored it in another format, or with what this one refuses. An
 * earlier release may have stored it before it was made signable.
 */
export function parseFetchedBooking(text: string): FetchedBooking | undefined {
  const { data } = fetchedSchema.safeParse(JSON.parse(text));
  if (data === undefined) return undefined;
  const { form, booking, warnings } = data;
  const stored = {
    form,
    booking,
    warnings: warnings.map(({ path, ...warning }) => (path === undefined ? warning : { ...warning, path })),
  };
  try {
    return makeSignable(stored);
  } catch (error) {
    if (isInvalidBookingResponse(error)) return undefined;
    throw error;
  }
}

/** An installation as of the request to its booking system. */
export interface QueriedInstallation {
  readonly destination: string;
  readonly addressVersion: number;
}

/** A booking as its booking system returned it. */
export interface ReadBooking extends BookingKey {
  /** Where it was read; it is not stored if the pool has installed another account, or the address has changed since. */
  readonly queried?: QueriedInstallation | undefined;
  /**
   * When it was requested, by this process's monotonic clock; default: now. The response to an earlier request never
   * replaces that to a later one.
   */
  readonly requestedAt?: number | undefined;
  readonly fetched: FetchedBooking;
}

/** When the first session of a booking starts, and the last one ends; nulls without sessions. */
function spanOf({ fetched }: ReadBooking): { readonly first: Date | null; readonly last: Date | null } {
  const { bookedSessions } = fetched.booking;
  if (bookedSessions.length === 0) return { first: null, last: null };
  const starts = bookedSessions.map(({ startsAt }) => Date.parse(startsAt));
  return {
    first: new Date(Math.min(...starts)),
    // In the column "last_starts_at", which held the start of the last session until sessions of several days counted.
    last: new Date(Math.max(...bookedSessions.map(lastMomentOf))),
  };
}

/** A booking with the age of its request. */
export interface AgedBooking extends ReadBooking {
  readonly ageMs: number;
}

interface StoredBooking extends BookingKey {
  /** Whether its sessions or guests differ from those that its waivers have followed last. */
  readonly isChanged: boolean;
}

/**
 * Those of the stored bookings with waivers that must follow them. A statement of its own: a waiver that was planned with
 * the former response may have held up the new one (`lockBookings`), whose statement began before that waiver was there.
 */
async function withWaivers(
  database: Database,
  bookings: readonly StoredBooking[],
): Promise<readonly BookingKey[]> {
  if (bookings.length === 0) return [];
  const { rows } = await sql<BookingKey>`${prepared}
select k.pool, k.booking_system, k.booking_id
from ${rowsOf(bookings, 'k', { ...bookingTypes, isChanged: 'boolean' })}
where exists (
  select from (${idsOfBooking(referenceOf('k'))}) o join waiver w on w.pool = k.pool and w.booking_id = o.id
    and w.booking_system = k.booking_system and not w.deleted and (k.is_changed or w.last_visit_source = 'created'))`.execute(
    database,
  );
  return rows;
}

/**
 * Stores responses, at most one per booking, in one statement. Skips those whose booking system is no longer installed,
 * or has another account or address by now: the installation's lock keeps a late response from outliving an uninstall
 * or a change of the address.
 *
 * @returns the bookings with waivers that must follow them: any waiver if sessions or guests differ from those followed
 * last; otherwise only waivers whose last visit is merely their creation time.
 */
export async function upsertBookings(
  database: Database,
  bookings: readonly AgedBooking[],
  lockTimeoutMs?: LockTimeout,
): Promise<readonly BookingKey[]> {
  const spans = bookings.map(spanOf);
  const { rows } = await sql<StoredBooking>`${prepared}
with given as materialized (
  select g.* from ${limitsLockWait(lockTimeoutMs)} cross join unnest(${bookings.map(({ pool }) => pool)}::text[],
    ${bookings.map(({ bookingSystem }) => bookingSystem)}::text[],
    ${bookings.map(({ bookingId }) => bookingId)}::text[],
    ${bookings.map(({ fetched }) => JSON.stringify(fetched))}::text[],
    ${bookings.map(({ ageMs }) => ageMs)}::float8[], ${bookings.map(({ queried }) => queried?.destination ?? null)}::text[],
    ${bookings.map(({ queried }) => queried?.addressVersion ?? null)}::integer[],
    ${spans.map(({ first }) => first)}::timestamptz[], ${spans.map(({ last }) => last)}::timestamptz[])
    g (pool, booking_system, booking_id, fetched, age_ms, destination, address_version, first_starts_at,
      last_starts_at)),
installed as materialized (
  select i.pool, i.booking_system, i.destination_id, i.address_version from installation i
  join (select distinct pool, booking_system from given) g using (pool, booking_system)
  where i.status = 'installed' order by i.pool, i.booking_system for share of i),
upserted as (
  insert into cached_booking (pool, booking_system, booking_id, fetched, fetched_at)
  select pool, booking_system, booking_id, fetched,
    date_trunc('milliseconds', now() - age_ms * interval '1 millisecond')
  from given g join installed i using (pool, booking_system)
  where g.destination is null or (i.destination_id = g.destination and i.address_version = g.address_version)
  order by pool, booking_system, booking_id
  on conflict (pool, booking_system, booking_id)
  do update set fetched = excluded.fetched, fetched_at = excluded.fetched_at
  -- One that a lock held up may come after a newer one. A time to come is from before the clock was set back; this
  -- statement may have begun before the newer one was read, so that now() is in the past.
  where cached_booking.fetched_at <= excluded.fetched_at or cached_booking.fetched_at > clock_timestamp()
  returning pool, booking_system, booking_id, fetched, followed),
placed as (
  insert into upcoming_booking as p (pool, booking_system, booking_id, first_starts_at, last_starts_at)
  select pool, booking_system, booking_id, g.first_starts_at, g.last_starts_at
  from given g join upserted using (pool, booking_system, booking_id)
  where g.first_starts_at is not null
  order by pool, booking_system, booking_id
  on conflict (pool, booking_system, booking_id)
  do update set first_starts_at = excluded.first_starts_at, last_starts_at = excluded.last_starts_at
  where (p.first_starts_at, p.last_starts_at) is distinct from (excluded.first_starts_at, excluded.last_starts_at)),
unplaced as (
  delete from upcoming_booking p using given g join upserted u using (pool, booking_system, booking_id)
  where g.first_starts_at is null
    and p.pool = g.pool and p.booking_system = g.booking_system and p.booking_id = g.booking_id)
-- Most bookings have no waiver that has followed them, and so no hash: the one to compare it with costs a fifth of this.
select pool, booking_system, booking_id, k.followed is null or k.followed <> (
  select ${followedHash(sql`j.response`)} from (select ${responseJson(sql`k.fetched`)} as response offset 0) j) as is_changed
from upserted k`.execute(database);
  return withWaivers(database, rows);
}

/**
 * Deletes a pool's stored booking responses that contain one of the e-mail addresses. One that contains it by chance,
 * inside a longer address, is deleted, too: it is only a copy.
 */
export async function eraseBookingsNaming(
  transaction: DatabaseTransaction,
  pool: string,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0) return;
  // As escaped in JSON.
  const texts = emails.map((email) => JSON.stringify(email).slice(1, -1));
  await sql`
delete from cached_booking b where b.pool = ${pool} and exists (
  select from unnest(${texts}::text[]) t (email) where position(lower(t.email) in lower(b.fetched)) > 0)`.execute(
    transaction,
  );
  await notify(transaction, 'removed_bookings', pool);
}

/** Deletes bookings' stored responses, and makes their aliases due for pruning, which keeps those still needed. */
export async function eraseBookings(
  transaction: DatabaseTransaction,
  bookings: readonly BookingKey[],
): Promise<void> {
  if (bookings.length === 0) return;
  await sql`
with named as materialized (
  select distinct b.pool, b.booking_system, i.id
  from ${rowsOf(bookings, 'b', bookingTypes)}
  cross join lateral (${idsOfBooking(referenceOf('b'))}) i),
gone as (
  delete from cached_booking c using named n
  where c.pool = n.pool and c.booking_system = n.booking_system and c.booking_id = n.id)
update booking_alias a set prune_at = now() from named n
where a.pool = n.pool and a.booking_system = n.booking_system and a.alias = n.id`.execute(transaction);
  for (const pool of new Set(bookings.map(({ pool }) => pool)))
    await notify(transaction, 'removed_bookings', pool);
}

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // The hash of the sessions and guests that the booking's waivers followed last.
  sql`alter table cached_booking add column followed bigint`,
  // Without a reference to the waiver: a list of what to look at must not hold up a change of it.
  sql`create table unmatched_waiver (
    waiver_id text collate "C" primary key,
    pool text not null references pool (id) on delete cascade,
    booking_system text not null,
    booking_id text not null,
    booking_guest_id text,
    reason text not null check (reason in ('guest_gone', 'booking_gone')),
    noted_at timestamptz not null default date_trunc('milliseconds', now()),
    dismissed boolean not null default false
  )`,
  sql`create index unmatched_waiver_of_pool on unmatched_waiver (pool, noted_at, waiver_id) where not dismissed`,
  sql`create index unmatched_waiver_of_booking on unmatched_waiver (pool, booking_system, booking_id)`,
  // Where the reconciler is in its round.
  sql`create table reconciliation (
    id boolean primary key default true check (id),
    round_started_at timestamptz not null,
    last_visit timestamptz,
    waiver_id text collate "C"
  )`,
  sql`insert into reconciliation (round_started_at) values ('-infinity')`,
];

/** Waivers follow their bookings; those that cannot are listed; bookings of the next days are read again each day. */
export const changedBookings: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

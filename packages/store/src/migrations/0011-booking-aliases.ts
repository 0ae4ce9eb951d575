import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  sql`create table booking_alias (
    pool text not null references pool (id) on delete cascade,
    booking_system text not null,
    alias text not null,
    booking_id text not null,
    prune_at timestamptz not null,
    primary key (pool, booking_system, alias),
    check (alias <> booking_id)
  )`,
  sql`create index booking_alias_of_booking on booking_alias (pool, booking_system, booking_id)`,
  sql`create index booking_alias_to_prune on booking_alias (prune_at)`,
];

/** The other ids by which a booking is asked for. */
export const bookingAliases: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // How far a booking system has told of changes. `claim` counts the calls, `request` what asks for one while another is
  // under way.
  sql`create table booking_changes (
    pool text not null references pool (id) on delete cascade,
    booking_system text not null,
    cursor text,
    due_at timestamptz not null,
    claim bigint not null default 0,
    claimed boolean not null default false,
    request bigint not null default 0,
    failures integer not null default 0,
    primary key (pool, booking_system)
  )`,
  sql`create index booking_changes_due on booking_changes (due_at)`,
  // Instead of the booking system's own.
  sql`alter table installation
    add column base_url text,
    add column environment text`,
];

/** Asking booking systems for changes; installations with an address or an environment of their own. */
export const pollingAndAddresses: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

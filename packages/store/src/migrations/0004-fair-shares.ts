import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // A closed destination whose waiting messages are still to be cancelled, and how they are found.
  sql`alter table destination add column cancelling boolean not null default false`,
  sql`create index destination_cancelling on destination (id) where cancelling`,
  // A destination is never opened again: whoever installs next gets a new one.
  sql`alter table destination drop column opening`,
  sql`alter table delivery drop column opening`,

  // The order of a destination's messages, and the one to use once nothing of the former order waits.
  sql`alter table destination add column write_unit text not null default 'waiver'
    check (write_unit in ('waiver', 'booking'))`,
  sql`alter table destination add column next_write_unit text check (next_write_unit in ('waiver', 'booking'))`,
  sql`update destination d set write_unit = i.write_unit from installation i
    where i.destination_id = d.id and i.write_unit <> d.write_unit`,
  sql`create index destination_changing_unit on destination (id) where next_write_unit is not null`,

  // Refreshes are claimed installation by installation.
  sql`create index booking_refresh_of_installation on booking_refresh (pool, booking_system, due_at)`,

  // Jobs that send deliveries again, in batches.
  sql`create table recovery (
    id text collate "C" primary key,
    pool text,
    destination text,
    delivery_state text not null check (delivery_state in ('dead', 'delivered', 'superseded')),
    since timestamptz not null,
    until timestamptz not null,
    state text not null default 'running' check (state in ('running', 'done')),
    reopened_to uuid not null,
    counted_to uuid,
    recovered integer not null default 0,
    total integer not null default 0,
    created_at timestamptz not null default date_trunc('milliseconds', now())
  )`,
  sql`create index recovery_running on recovery (id) where state = 'running'`,

  // The transaction of a record's last change. A constant default first: nothing is rewritten.
  sql`alter table waiver add column changed_in xid8 not null default '0'::xid8`,
  sql`alter table waiver alter column changed_in set default pg_current_xact_id()`,
  sql`create index waiver_by_transaction on waiver (pool, changed_in, id)`,
  // Transactions of one PostgreSQL cluster mean nothing in another: which one counted them.
  sql`create table change_clock (
    era text primary key,
    system_identifier text not null
  )`,
  sql`insert into change_clock (era, system_identifier) values (gen_random_uuid()::text, '')`,
];

/** Background jobs, the order of messages by destination, the order of changes by transaction. */
export const fairShares: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(database);
  },
};

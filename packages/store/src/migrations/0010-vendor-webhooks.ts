import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // One row for each installation whose plugin registers webhooks; gone once they are removed after an uninstall.
  sql`create table vendor_webhook (
    destination text collate "C" primary key,
    pool text not null,
    booking_system text not null,
    state text not null default 'registering'
      check (state in ('registering', 'registered', 'failing', 'off', 'removing')),
    key_encrypted text,
    base_urls text[] not null default '{}',
    account_encrypted text,
    request bigint not null default 1,
    attempts integer not null default 0,
    due_at timestamptz not null default now(),
    leased_until timestamptz not null default '-infinity',
    give_up_at timestamptz,
    registered_at timestamptz,
    failed_at timestamptz,
    failure_code text,
    failure_message text,
    foreign key (pool, booking_system) references installation (pool, booking_system) on delete cascade,
    check ((state = 'removing') = (account_encrypted is not null))
  )`,
  sql`create index vendor_webhook_due_at on vendor_webhook (due_at)`,
  sql`create index vendor_webhook_of_installation on vendor_webhook (pool, booking_system)`,
  // The key in a webhook's address outlives reinstalls, since the vendor keeps the address.
  sql`alter table pool_key add column of_webhook boolean not null default false`,
  // One row: the address below which vendors call, as the host that was started last has it.
  sql`create table inbound_base_url (
    id boolean primary key default true check (id),
    base_url text not null
  )`,
];

/** Webhooks that the service registers at vendors. */
export const vendorWebhooks: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

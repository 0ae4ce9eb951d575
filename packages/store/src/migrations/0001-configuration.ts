import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// Configuration: pools, who may call, which booking systems are installed where, who receives webhooks.
const statements = [
  sql`create table pool (
    id text collate "C" primary key,
    name text not null,
    prefill_properties text[] not null default '{}',
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    updated_at timestamptz not null default date_trunc('milliseconds', now())
  )`,
  sql`create table access_token (
    id text collate "C" primary key,
    pool text not null references pool (id) on delete cascade,
    hash bytea not null unique,
    hint text not null,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    last_used_at timestamptz
  )`,
  sql`create index access_token_of_pool on access_token (pool, id)`,
  sql`create table booking_system (
    install_name text primary key,
    base_url text,
    settings_encrypted text,
    updated_at timestamptz not null default date_trunc('milliseconds', now())
  )`,
  sql`create table install_key (
    id text collate "C" primary key,
    booking_system text not null,
    hash bytea not null unique,
    hint text not null,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    last_used_at timestamptz
  )`,
  sql`create index install_key_of_booking_system on install_key (booking_system, id)`,
  sql`create table installation (
    pool text not null references pool (id) on delete cascade,
    booking_system text not null,
    status text not null check (status in ('installed', 'uninstalled')),
    account_id text,
    account_id_is_number boolean not null default false,
    account_encrypted text,
    write_unit text not null check (write_unit in ('waiver', 'booking')),
    takes_guest_updates boolean not null,
    made_by text not null check (made_by in ('booking-system', 'operator')),
    share_properties text[] not null default '{}',
    share_allowed_by text,
    share_allowed_at timestamptz,
    destination_id text not null unique,
    installed_at timestamptz not null,
    updated_at timestamptz not null default date_trunc('milliseconds', now()),
    primary key (pool, booking_system),
    check ((status = 'installed') = (account_id is not null)),
    check ((status = 'installed') = (account_encrypted is not null))
  )`,
  sql`create table pool_key (
    id text collate "C" primary key,
    pool text not null,
    booking_system text not null,
    hash bytea not null unique,
    hint text not null,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    last_used_at timestamptz,
    expires_at timestamptz,
    foreign key (pool, booking_system) references installation (pool, booking_system) on delete cascade
  )`,
  sql`create index pool_key_of_installation on pool_key (pool, booking_system)`,
  sql`create table cached_booking (
    pool text not null references pool (id) on delete cascade,
    booking_system text not null,
    booking_id text not null,
    fetched text not null,
    fetched_at timestamptz not null,
    primary key (pool, booking_system, booking_id)
  )`,
  sql`create index cached_booking_by_age on cached_booking (fetched_at)`,
  sql`create table booking_refresh (
    pool text not null references pool (id) on delete cascade,
    booking_system text not null,
    booking_id text not null,
    request bigint not null default 1,
    attempts integer not null default 0,
    due_at timestamptz not null,
    requested_at timestamptz not null default date_trunc('milliseconds', now()),
    primary key (pool, booking_system, booking_id)
  )`,
  sql`create index booking_refresh_due on booking_refresh (due_at)`,
  sql`create table webhook (
    id text collate "C" primary key,
    pool text not null references pool (id) on delete cascade,
    url text not null,
    auth_encrypted text not null,
    properties text[] not null default '{}',
    destination_id text not null unique,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    updated_at timestamptz not null default date_trunc('milliseconds', now())
  )`,
  sql`create index webhook_of_pool on webhook (pool, id)`,
  sql`create table webhook_secret (
    id text collate "C" primary key,
    webhook_id text not null references webhook (id) on delete cascade,
    secret_encrypted text not null,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    expires_at timestamptz
  )`,
  sql`create index webhook_secret_of_webhook on webhook_secret (webhook_id, id)`,
];

/** Pools, keys, installations, bookings, webhooks. */
export const configuration: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(database);
  },
};

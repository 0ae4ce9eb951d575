import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// The busy tables carry the pool in their keys, so that partitioning by pool is a change of DDL alone. Ids compare
// byte by byte (collation "C"), which also makes the lock order of lanes the same on every server.
const statements = [
  sql`create table waiver_id (id text collate "C" primary key, pool text not null)`,
  sql`create table waiver (
    pool text not null,
    id text collate "C" not null,
    version integer not null,
    booking_system text,
    booking_id text,
    booking_guest_id text,
    activities text[] not null,
    last_visit timestamptz not null,
    last_visit_source text not null check (last_visit_source in ('given', 'session', 'created')),
    current_page text,
    answers text not null,
    deleted boolean not null default false,
    content_hash bytea not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (pool, id)
  )`,
  sql`create index waiver_by_change on waiver (pool, updated_at, id)`,
  sql`create index waiver_of_booking on waiver (pool, booking_id, updated_at, id) where booking_id is not null`,
  sql`create table destination (
    id text collate "C" primary key,
    pool text not null,
    kind text not null check (kind in ('guest-update', 'guest-webhook')),
    status text not null default 'active' check (status in ('active', 'paused', 'closed')),
    paused_by text check (paused_by in ('failures', 'person')),
    next_probe_at timestamptz,
    held_until timestamptz,
    opening integer not null default 1,
    failing_since timestamptz,
    consecutive_failures integer not null default 0,
    last_success_at timestamptz,
    last_failure_at timestamptz,
    last_failure_code text,
    last_failure_status integer,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    check ((status = 'paused') = (paused_by is not null))
  ) with (fillfactor = 70)`,
  sql`create index destination_to_probe on destination (next_probe_at) where paused_by = 'failures'`,
  sql`create table request_limit (
    destination text collate "C" primary key references destination (id),
    requests integer not null,
    window_ms double precision not null,
    back_at timestamptz[] not null default '{}',
    taken integer[] not null default '{}'
  ) with (fillfactor = 50)`,
  sql`create table delivery (
    pool text not null,
    id uuid not null,
    destination text collate "C" not null,
    kind text not null,
    ordering_key text collate "C" not null,
    sequence integer not null,
    waiver_id text collate "C" not null,
    version integer not null,
    booking_id text,
    takeback boolean not null,
    opening integer not null,
    body text not null,
    state text not null check (state in ('waiting', 'delivered', 'dead', 'superseded', 'cancelled')),
    attempts integer not null default 0,
    in_doubt boolean not null default false,
    created_at timestamptz not null,
    primary key (id, pool)
  ) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  sql`create unique index delivery_of_waiver on delivery (pool, waiver_id, version, destination)`,
  sql`create index delivery_in_lane on delivery (destination, ordering_key, sequence) where state = 'waiting'`,
  // Every sequence is above 0. To say it here keeps PostgreSQL from looking for the next of one lane among all that
  // waits for its destination: only what says it too, the lists, is answered from this index.
  sql`create index delivery_waiting on delivery (destination, id) where state = 'waiting' and sequence > 0`,
  // Not the delivered ones: they are nearly all, and the primary key lists them.
  sql`create index delivery_ended on delivery (state, id) where state in ('dead', 'superseded', 'cancelled')`,
  sql`create table lane (
    pool text not null,
    destination text collate "C" not null,
    ordering_key text collate "C" not null,
    state text not null check (state in ('idle', 'ready', 'leased')),
    due_at timestamptz not null,
    retrying boolean not null default false,
    manual boolean not null default false,
    last_sequence integer not null,
    done_sequence integer not null default 0,
    current uuid,
    lost_leases integer not null default 0,
    faults integer not null default 0,
    lease_token uuid,
    lease_until timestamptz,
    leased_at timestamptz,
    primary key (destination, ordering_key, pool)
  ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  // Partial on purpose: these two keep the claim flat, however many lanes are idle or wait at a dead destination.
  sql`create index lane_due on lane (destination, retrying, due_at) where state = 'ready'`,
  sql`create index lane_leased on lane (lease_until) where state = 'leased'`,
  sql`create table attempt (
    pool text not null,
    delivery uuid not null,
    at timestamptz not null,
    duration_ms integer not null,
    outcome text not null,
    status integer,
    error_code text,
    response text,
    trigger text not null check (trigger in ('schedule', 'manual', 'probe', 'test'))
  ) with (autovacuum_vacuum_scale_factor = 0.05)`,
  sql`create index attempt_of_delivery on attempt (delivery, at)`,
  sql`create index attempt_by_age on attempt using brin (at) with (autosummarize = on)`,
];

/** Waivers, destinations, deliveries, lanes, attempts. */
export const waiversAndOutbox: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(database);
  },
};

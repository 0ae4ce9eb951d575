import type {
  Database as DatabaseOf,
  SchemaMigration,
  TablesOf,
  DatabaseTransaction as TransactionOf,
} from '@waiver-service/database';

/**
 * Destinations of messages: installations, webhooks, alerts and pools' e-mail to guests, with their limits and activity.
 * Ids compare byte by byte (collation "C"), which makes the lock order of lanes the same on every server.
 */
const destinations = `
create table destination (
  id text collate "C" primary key,
  -- Empty for an alert, which belongs to no pool.
  pool text not null,
  kind text not null check (kind in ('guest-update', 'guest-webhook', 'alert', 'invitation')),
  -- One of 64, random and permanent; each shard belongs to one dispatcher at a time.
  shard smallint not null default floor(random() * 64),
  -- A closed destination is never opened again: the next install makes a new one.
  status text not null default 'active' check (status in ('active', 'paused', 'closed')),
  -- Closed, and its messages are not yet cancelled.
  cancelling boolean not null default false,
  paused_by text check (paused_by in ('failures', 'person')),
  next_probe_at timestamptz,
  -- Nothing is sent before these times: because of a Retry-After, or of a lost authorization. The latter does not affect
  -- reads.
  held_until timestamptz,
  unauthorized_until timestamptz,
  -- Counts how often the allowed answers were reduced. A delivery has the count from when its body was created, which
  -- shows a claim whether the body may hold more than may be sent.
  permission_version integer not null default 0,
  -- The unit by which new messages are ordered, and the one to use once nothing waits.
  write_unit text not null default 'waiver' check (write_unit in ('waiver', 'booking')),
  next_write_unit text check (next_write_unit in ('waiver', 'booking')),
  -- The row that counts its requests; null if they are not limited.
  request_budget text collate "C",
  failing_since timestamptz,
  consecutive_failures integer not null default 0,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure_code text,
  last_failure_status integer,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  check ((status = 'paused') = (paused_by is not null))
) with (fillfactor = 70);
create index destination_to_probe on destination (next_probe_at) where paused_by = 'failures';
create index destination_cancelling on destination (id) where cancelling;
create index destination_changing_unit on destination (id) where next_write_unit is not null;
-- Few rows, however many destinations are healthy; updates of healthy ones do not touch it.
create index destination_failing on destination (id) where failing_since is not null;

-- How many requests an installation, or all of a booking system's together, may make. The arrays have one element for
-- each window, or for each time (milliseconds since 1970) at which requests return to a window.
create table request_budget (
  id text collate "C" primary key,
  requests integer[] not null,
  window_ms double precision[] not null,
  back_ms double precision[] not null default '{}',
  back_window_ms double precision[] not null default '{}',
  taken integer[] not null default '{}',
  -- An urgent request waits until then: no message is started before.
  urgent_until_ms double precision not null default 0
) with (fillfactor = 50);

-- How many messages each destination accepted and refused, per quarter of an hour. No guest's data.
create table destination_activity (
  destination text collate "C" not null,
  at timestamptz not null,
  delivered integer not null,
  failed integer not null,
  primary key (destination, at)
) with (fillfactor = 70);
create index destination_activity_by_age on destination_activity (at);
`;

/**
 * A message has a row in "delivery" for as long as it is shown. While it waits, it has one in "pending" as
 * well; if it ends undelivered, one in "ended". Each attempt adds a row to "attempt".
 */
const messages = `
-- Changes only if answers are withdrawn, or the message moves to another lane.
create table delivery (
  pool text not null,
  id uuid not null,
  destination text collate "C" not null,
  kind text not null,
  ordering_key text collate "C" not null,
  waiver_id text collate "C" not null,
  version integer not null,
  booking_id text,
  -- Whether it is the message to the booking that the record has left, which is never superseded.
  takeback boolean not null,
  body text not null,
  permission_version integer not null default 0,
  created_at timestamptz not null,
  primary key (id, pool)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create unique index delivery_of_waiver on delivery (pool, waiver_id, version, destination);
create index delivery_of_pool on delivery (pool, id);

-- The messages of a lane (destination and ordering key) are sent in the order of their sequence.
create sequence outbox_sequence;

-- Rows are inserted, and deleted when the message ends; few are updated.
create table pending (
  destination text collate "C" not null,
  id uuid not null,
  pool text not null,
  ordering_key text collate "C" not null,
  lane integer not null generated always as (hashtext(destination || ' ' || ordering_key)) stored,
  sequence bigint not null,
  waiver_id text collate "C" not null,
  booking_id text,
  takeback boolean not null,
  due_at timestamptz not null,
  retrying boolean not null default false,
  manual boolean not null default false,
  in_doubt boolean not null default false,
  attempts integer not null default 0,
  lost_leases integer not null default 0,
  faults integer not null default 0,
  primary key (destination, id, pool)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index pending_lane on pending (destination, ordering_key, sequence);
create index pending_due on pending (destination, retrying, due_at, sequence);

create table ended (
  id uuid not null,
  pool text not null,
  state text not null check (state in ('dead', 'superseded', 'cancelled')),
  -- Why it ended without having been sent.
  reason text,
  attempts integer not null default 0,
  sequence bigint,
  primary key (id, pool)
);
create index ended_by_state on ended (state, id);

create table attempt (
  pool text not null,
  delivery uuid not null,
  at timestamptz not null,
  -- Only so that each row has a key: a clock that is set back repeats times.
  id bigint not null generated always as identity,
  duration_ms integer not null,
  outcome text not null,
  status integer,
  error_code text,
  -- Only of failed attempts: the response to an accepted message may hold a guest's data, and does not help an operator.
  response text,
  warnings text,
  trigger text not null check (trigger in ('schedule', 'manual', 'probe', 'test')),
  primary key (delivery, at, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index attempt_by_age on attempt using brin (at) with (autosummarize = on);
-- Nearly all attempts are accepted, and so in neither of these two.
create index attempt_by_error on attempt (error_code, delivery) where error_code is not null;
create index attempt_by_status on attempt (status, delivery) where error_code is not null;
-- For the erasure of stored answers.
create index attempt_with_answer on attempt (pool, delivery) where response is not null or warnings is not null;

-- Processes that send. Each shard of destinations belongs to one of them at a time.
create table dispatcher (
  id uuid primary key,
  lease_until timestamptz not null,
  claim_epoch integer not null default 0
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0);
create table shard (
  id smallint primary key,
  owner uuid,
  draining boolean not null default false
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0);
insert into shard (id) select generate_series(0, 63);

-- The ids that each claim took: one row for a whole batch. A row of 250 ids fits a page, and is neither compressed nor
-- stored out of line.
create table journal (
  batch bigint generated always as identity primary key,
  dispatcher uuid not null,
  at timestamptz not null default now(),
  ids uuid[] not null
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200,
  autovacuum_vacuum_cost_delay = 0);
alter table journal alter column ids set storage main;
`;

/** The tables of the outbox, which refer to no others. */
const baseline = { statements: [destinations, messages] } as const satisfies SchemaMigration;

/** Every migration, by the name it is recorded under. `OwnTables` are the types of what they make. */
export const migrations = {
  '0001-baseline': baseline,
} as const satisfies Readonly<Record<string, SchemaMigration>>;

/** The tables of the current schema, with their columns in camel case. */
export type OwnTables = TablesOf<typeof migrations>;

export type Database = DatabaseOf<OwnTables>;

/** While a transaction is open, use it for every query, never the database that it was begun on. */
export type DatabaseTransaction = TransactionOf<OwnTables>;

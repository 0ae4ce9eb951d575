/**
 * The outbox. A message has a row in "delivery" for as long as it is shown. While it waits, it has one in "pending" as
 * well; if it ends undelivered, one in "ended". Each attempt adds a row to "attempt".
 */
export const outbox = `
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

-- Jobs that send deliveries again, in batches.
create table recovery (
  id text collate "C" primary key,
  -- The pools of the person who started it; null: all.
  pools text[],
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
);
create index recovery_running on recovery (id) where state = 'running';
`;

/** The service itself. (The table "migration" is created by `run-migrations.ts`.) */
export const operations = `
-- One row: if a host's encryption keys cannot decrypt it, they are not those of this database.
create table encryption_check (
  id boolean primary key default true check (id),
  encrypted text not null
);

-- One row: the key of hashes of guests' e-mail addresses. Without it, guesses cannot be checked against a hash.
create table email_hash_key (
  id text primary key,
  key_encrypted text not null
);
`;

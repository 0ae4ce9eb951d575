/**
 * Destinations of messages: installations, webhooks, alerts and pools' e-mail to guests, with their limits, sessions and
 * activity. Ids compare byte by byte (collation "C"), which makes the lock order of lanes the same on every server.
 */
export const destinations = `
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

-- Receivers of guest webhooks.
create table webhook (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  url text not null,
  auth_encrypted text not null,
  properties text[] not null default '{}',
  destination_id text collate "C" not null unique,
  settings_version uuid not null default gen_random_uuid(),
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  updated_at timestamptz not null default date_trunc('milliseconds', now())
);
create trigger change_settings_version before update on webhook
  for each row execute function change_settings_version();
create index webhook_of_pool on webhook (pool, id);

create table webhook_secret (
  id text collate "C" primary key,
  webhook_id text not null references webhook (id) on delete cascade,
  secret_encrypted text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  -- Null for the newest.
  expires_at timestamptz
);
create index webhook_secret_of_webhook on webhook_secret (webhook_id, id);

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

-- The tokens of an installation, renewed by one host at a time. A new version is a new session; "renewing_by" stays set
-- if a renewal ended without a record.
create table booking_system_session (
  destination text collate "C" primary key references destination (id),
  version integer not null default 0,
  session_encrypted text,
  renewing_by uuid,
  renewing_until timestamptz,
  lost_since timestamptz,
  lost_reason text,
  failures integer not null default 0,
  retry_at timestamptz
);
create index booking_system_session_lost on booking_system_session (destination) where lost_since is not null;

-- Visits of operators' browsers to a booking system's authorization page, by the hash of their state.
create table authorization_request (
  state_hash bytea primary key,
  destination text collate "C" not null references destination (id),
  booking_system text not null,
  verifier_encrypted text not null,
  expires_at timestamptz not null,
  -- Of the cookie of the browser that began it; null if a host of an earlier version began it, which bound it to none.
  browser_hash bytea
);
create index authorization_request_destination on authorization_request (destination);

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

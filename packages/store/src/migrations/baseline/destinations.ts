/** Webhooks, and the sessions of installations. Their destinations are tables of the outbox. */
export const destinations = `
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
`;

/**
 * Who may call: the waiver apps of pools, and booking systems that install themselves. Secrets are stored as hashes only.
 * (The keys of installed booking systems are with the installations, people's with `packages/people`.)
 */
export const keys = `
-- Tokens of a pool's waiver app.
create table access_token (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  name text,
  scopes text[] not null,
  hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz,
  expires_at timestamptz
);
create index access_token_of_pool on access_token (pool, id);

-- The global keys with which a booking system's install calls authenticate.
create table install_key (
  id text collate "C" primary key,
  booking_system text not null,
  hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz
);
create index install_key_of_booking_system on install_key (booking_system, id);
`;

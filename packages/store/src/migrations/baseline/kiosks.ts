/** Kiosks: tablets on which guests sign, one after the other. */
export const kiosks = `
create table kiosk (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  name text not null,
  -- PBKDF2 of the PIN, as JSON. The tablet has it, too, so that staff get in without signal.
  pin_verifier text not null,
  -- Without a touch for so long, it returns to its first screen.
  return_after_s integer not null check (return_after_s between 15 and 900),
  -- Of the credential; null until it is paired.
  hash bytea unique,
  paired_at timestamptz,
  last_seen_at timestamptz,
  -- Signings that wait on the tablet, and since when, as it last said.
  waiting integer not null default 0,
  waiting_since timestamptz,
  created_by text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  -- Kept then, so that what still waits there is known to be of it.
  revoked_at timestamptz
);
create index kiosk_of_pool on kiosk (pool, id) where revoked_at is null;
create index kiosk_revoked on kiosk (revoked_at) where revoked_at is not null;

-- Codes by which a tablet becomes a kiosk, once.
create table kiosk_code (
  kiosk text collate "C" primary key references kiosk (id) on delete cascade,
  hash bytea not null unique,
  expires_at timestamptz not null
);
`;

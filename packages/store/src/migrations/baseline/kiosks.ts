/** Kiosks: tablets on which guests sign, one after the other. */
export const kiosks = `
create table kiosk (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  name text not null,
  -- PBKDF2 of the PIN, as JSON. The tablet has it too, so that staff can unlock it offline.
  pin_verifier text not null,
  -- After this long without a touch, it returns to its first screen.
  return_after_s integer not null check (return_after_s between 15 and 900),
  -- Of the credential; null until it is paired.
  hash bytea unique,
  paired_at timestamptz,
  last_seen_at timestamptz,
  -- Signings that wait on the tablet, and since when, as last reported.
  waiting integer not null default 0,
  waiting_since timestamptz,
  created_by text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  -- A revoked kiosk is kept, so that signings that still wait there can be attributed to it.
  revoked_at timestamptz
);
create index kiosk_of_pool on kiosk (pool, id) where revoked_at is null;
create index kiosk_revoked on kiosk (revoked_at) where revoked_at is not null;

-- One-time codes that turn a tablet into a kiosk.
create table kiosk_code (
  kiosk text collate "C" primary key references kiosk (id) on delete cascade,
  hash bytea not null unique,
  expires_at timestamptz not null
);
`;

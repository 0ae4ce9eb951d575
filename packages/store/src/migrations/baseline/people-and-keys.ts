/**
 * Who may call: the waiver apps of pools, booking systems that install themselves, people and programs that operate the
 * service. Secrets are stored as hashes only. (The keys of installed booking systems are with the installations.)
 */
export const peopleAndKeys = `
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

-- Tokens of people and programs.
create table credential (
  id text collate "C" primary key,
  name text not null,
  role text not null check (role in ('owner', 'operator', 'viewer')),
  -- Null: all pools.
  pools text[],
  hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz,
  expires_at timestamptz,
  check (role <> 'owner' or pools is null)
);

-- Who is signed in to the console: with a credential, vouched for by an OpenID Connect issuer (which sets subject, name,
-- role, pools and rules), or with the admin token (neither).
create table person_session (
  id uuid primary key,
  hash bytea not null unique,
  -- Revoking a credential ends its sessions and sign-in codes.
  credential text collate "C" references credential (id) on delete cascade,
  subject text,
  name text,
  role text,
  pools text[],
  rules text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  seen_at timestamptz not null default date_trunc('milliseconds', now()),
  expires_at timestamptz not null,
  constraint person_session_issuer check (
    (subject is null and name is null and role is null and pools is null and rules is null)
    or (credential is null and subject is not null and name is not null
      and role is not null and role in ('owner', 'operator', 'viewer') and rules is not null))
);
create index person_session_of_credential on person_session (credential);
create index person_session_by_end on person_session (expires_at);

-- The codes of sign-in links.
create table sign_in_code (
  hash bytea primary key,
  credential text collate "C" references credential (id) on delete cascade,
  expires_at timestamptz not null
);
create index sign_in_code_of_credential on sign_in_code (credential);

-- Sign-ins that an issuer has answered: no answer is accepted twice.
create table ended_sign_in (
  id text collate "C" primary key,
  expires_at timestamptz not null
);
create index ended_sign_in_by_end on ended_sign_in (expires_at);
`;

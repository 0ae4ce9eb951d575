/** The forms that guests sign, and the links by which they reach them. */
export const forms = `
create table form (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  name text not null,
  -- The content that is being edited, as JSON; it may be incomplete. Null: nothing was edited since the last version.
  draft text,
  -- An archived form is offered to no guest; its versions stay for what was signed.
  archived_at timestamptz,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  updated_at timestamptz not null default date_trunc('milliseconds', now())
);
create index form_of_pool on form (pool, id);

-- A published version never changes.
create table form_version (
  form text collate "C" not null references form (id) on delete cascade,
  version integer not null,
  content text not null,
  -- SHA-256 of the canonical JSON of the content.
  hash bytea not null,
  published_by text not null,
  published_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (form, version)
);
create function keep_form_version() returns trigger
  language plpgsql set search_path from current as $$
  begin
    raise exception 'a published version of a form never changes';
  end $$;
create trigger keep_form_version before update on form_version
  for each row execute function keep_form_version();

-- Links to the check-in page: to a booking, to one guest of it, or to the pool's desk (without a booking).
create table check_in_link (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  hash bytea not null unique,
  booking_system text,
  booking_id text,
  booking_guest_id text,
  created_by text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  -- Null: the day after the booking's last session, as known when the link is used.
  expires_at timestamptz,
  revoked_at timestamptz,
  prune_at timestamptz not null,
  check ((booking_system is null) = (booking_id is null) and (booking_guest_id is null or booking_id is not null)),
  check (booking_id is not null or expires_at is not null)
);
create index check_in_link_of_pool on check_in_link (pool, id);
create index check_in_link_of_booking on check_in_link (pool, booking_id) where booking_id is not null;
create index check_in_link_of_desk on check_in_link (pool, id) where booking_id is null;
create index check_in_link_by_end on check_in_link (prune_at);

-- Each booking's link for its booking system is derived from this secret, so that it is the same on every request,
-- although only its hash is stored.
create table check_in_secret (
  pool text primary key references pool (id) on delete cascade,
  secret_encrypted text not null
);
`;

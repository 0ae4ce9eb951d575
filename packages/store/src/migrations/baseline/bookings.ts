/** Bookings: cached, read again, listed by their changes; and the waivers that no longer match theirs. */
export const bookings = `
-- A booking system's last valid response. Text, because jsonb refuses U+0000, which a partner may send.
create table cached_booking (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  booking_id text not null,
  fetched text not null,
  fetched_at timestamptz not null,
  -- The hash of the sessions and guests that the booking's waivers followed last.
  followed bigint,
  primary key (pool, booking_system, booking_id)
);
create index cached_booking_by_age on cached_booking (fetched_at);

-- When the sessions of stored bookings start, until two days after the last one: outlives the responses, and names no
-- guest. A booking without sessions has no row.
create table upcoming_booking (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  booking_id text not null,
  first_starts_at timestamptz not null,
  last_starts_at timestamptz not null,
  primary key (pool, booking_system, booking_id)
);
create index upcoming_booking_by_start on upcoming_booking (pool, first_starts_at, last_starts_at);
create index upcoming_booking_by_end on upcoming_booking (last_starts_at);

-- The other ids by which a booking is requested. An alias never leads to another alias.
create table booking_alias (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  alias text not null,
  booking_id text not null,
  -- When it is removed, unless the pool then has a waiver of the booking.
  prune_at timestamptz not null,
  primary key (pool, booking_system, alias),
  check (alias <> booking_id)
);
create index booking_alias_of_booking on booking_alias (pool, booking_system, booking_id);
create index booking_alias_to_prune on booking_alias (prune_at);

-- Bookings to be read again in the background.
create table booking_refresh (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  booking_id text not null,
  -- Counts the requests, so that one made while the booking is being read is not lost.
  request bigint not null default 1,
  attempts integer not null default 0,
  due_at timestamptz not null,
  requested_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (pool, booking_system, booking_id)
);
create index booking_refresh_due on booking_refresh (due_at);
-- Refreshes are claimed installation by installation.
create index booking_refresh_of_installation on booking_refresh (pool, booking_system, due_at);

-- How far an installation has read its booking system's changes.
create table booking_changes (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  cursor text,
  -- Infinity: called only on request.
  due_at timestamptz not null,
  -- Counts the calls; while one is in progress, due_at is the end of its lease.
  claim bigint not null default 0,
  claimed boolean not null default false,
  -- Counts the requests, so that one made during a call is not lost.
  request bigint not null default 0,
  failures integer not null default 0,
  primary key (pool, booking_system)
);
create index booking_changes_due on booking_changes (due_at);

-- Messages that booking systems have sent, by the SHA-256 of their ids: a repeated one has no effect.
create table inbound_message (
  pool text not null,
  booking_system text not null,
  message bytea not null,
  received_at timestamptz not null default now(),
  primary key (pool, booking_system, message),
  foreign key (pool, booking_system) references installation (pool, booking_system) on delete cascade
);
create index inbound_message_received_at on inbound_message (received_at);

-- Waivers whose guest or booking is gone, for operators to look at. No foreign key to the waiver: this list must not
-- block changes of it.
create table unmatched_waiver (
  waiver_id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  booking_id text not null,
  booking_guest_id text,
  reason text not null check (reason in ('guest_gone', 'booking_gone')),
  noted_at timestamptz not null default date_trunc('milliseconds', now()),
  dismissed boolean not null default false
);
create index unmatched_waiver_of_pool on unmatched_waiver (pool, noted_at, waiver_id) where not dismissed;
create index unmatched_waiver_of_booking on unmatched_waiver (pool, booking_system, booking_id);

-- One row: the position of the reconciler, which rereads the bookings of the coming days every day, in its round.
create table reconciliation (
  id boolean primary key default true check (id),
  round_started_at timestamptz not null,
  last_visit timestamptz,
  waiver_id text collate "C"
);
insert into reconciliation (round_started_at) values ('-infinity');
`;

/** Walk-ins. */
export const walkIns = `
-- Walk-ins by the day of their visit.
create index waiver_without_booking on waiver (pool, last_visit, id) where booking_id is null and not deleted;
`;

import type { EncryptedColumn, SchemaMigration, TablesOf } from '@waiver-service/database';

/** E-mail that asks guests to sign before they come. It is sent through the outbox, to one destination for each pool. */
const invitations = `
-- How a pool invites. A pool without a row sends nothing; without content, only what staff send by hand.
create table invitation_settings (
  pool text primary key references pool (id) on delete cascade,
  enabled boolean not null default false,
  -- JSON, as the host reads it.
  content text,
  destination_id text collate "C" not null unique,
  -- When its bookings are scanned next; during a scan, the end of the host's lease.
  due_at timestamptz not null default now(),
  updated_at timestamptz not null default date_trunc('milliseconds', now())
);
create index invitation_settings_due on invitation_settings (due_at) where enabled;

-- When a booking system that lists bookings is asked again for those of the coming days.
create table invitation_listing (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  due_at timestamptz not null,
  primary key (pool, booking_system)
);

-- The occasion last planned for a booking, the day of its first session, and the response that it was planned from.
create table invitation_plan (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  booking_id text not null,
  occasion text not null,
  day date not null,
  -- Null until the booking could be read.
  fetched_at timestamptz,
  -- When to try again, unless the booking is read before.
  retry_at timestamptz,
  -- Why no message resulted.
  problem text,
  primary key (pool, booking_system, booking_id)
);
create index invitation_plan_by_day on invitation_plan (day);

-- Messages to guests. The id is that of the delivery, too.
create table invitation (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  booking_id text not null,
  occasion text not null check (occasion in ('days-before', 'evening-before', 'morning-of', 'staff')),
  -- Of the booking's first session, in the pool's time zone.
  day date not null,
  -- A keyed hash.
  address bytea not null,
  address_encrypted text not null,
  -- How many guests it asks to sign.
  guests integer not null,
  -- "handing-over" is written before the mail server gets the text: if found later, the message may have arrived.
  state text not null default 'waiting' check (state in ('waiting', 'handing-over', 'sent', 'in-doubt', 'refused', 'left-out')),
  -- Why it was left out or refused.
  reason text,
  created_by text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
-- One that was left out makes room for another, since its reason may pass; not if the booking's link was revoked, which
-- would be found again whenever the booking is read.
create unique index invitation_once on invitation (pool, booking_system, booking_id, address, occasion, day)
  where occasion <> 'staff' and (state <> 'left-out' or reason = 'link-revoked');
create index invitation_of_pool on invitation (pool, id);
create index invitation_of_booking on invitation (pool, booking_id, id);
create index invitation_of_address on invitation (pool, address);

-- Addresses that get nothing more: the mail server refused them, or their owner unsubscribed.
create table invitation_refusal (
  pool text not null references pool (id) on delete cascade,
  address bytea not null,
  -- Null after an erasure, which keeps the refusal.
  address_encrypted text,
  reason text not null check (reason in ('refused', 'unsubscribed')),
  -- The mail server's reply.
  reply text,
  at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (pool, address)
);

-- Guests who were erased while they had a booking: keyed hashes of their addresses and guest ids, so that they are sent
-- nothing when the booking is read again.
create table invitation_block (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  booking_id text not null,
  guest bytea not null,
  prune_at timestamptz not null,
  primary key (pool, booking_system, booking_id, guest)
);
create index invitation_block_by_age on invitation_block (prune_at);
`;

export const migrations = {
  '0001-baseline': { statements: [invitations] },
} as const satisfies Readonly<Record<string, SchemaMigration>>;

export type OwnTables = TablesOf<typeof migrations>;

export const encryptedColumns = {
  invitationAddress: { table: 'invitation', column: 'address_encrypted', key: ['id'] },
  refusedAddress: { table: 'invitation_refusal', column: 'address_encrypted', key: ['pool', 'address'] },
} as const satisfies Record<string, EncryptedColumn>;

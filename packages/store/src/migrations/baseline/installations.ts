/** Booking systems: their settings, where they are installed, and how each installation is authenticated. */
export const installations = `
-- Random, because a counter repeats if a failover loses an update, and two updates can have the same time.
create function change_settings_version() returns trigger language plpgsql as $$
  begin
    new.settings_version := gen_random_uuid();
    return new;
  end $$;

-- An operator's settings of a plugin.
create table booking_system (
  install_name text primary key,
  base_url text,
  settings_encrypted text,
  -- Changes with every update: shows hosts that their cached copy of the row is stale.
  settings_version uuid not null default gen_random_uuid(),
  updated_at timestamptz not null default date_trunc('milliseconds', now())
);
create trigger change_settings_version before update on booking_system
  for each row execute function change_settings_version();

-- A booking system in a pool. The row survives an uninstall: deliveries still refer to its destination.
create table installation (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  -- Pending: with its account and its keys, but an operator has yet to approve it. Nothing is read or sent until then.
  status text not null check (status in ('installed', 'pending', 'uninstalled')),
  account_id text,
  account_id_is_number boolean not null default false,
  account_encrypted text,
  -- Instead of the booking system's own address.
  base_url text,
  environment text,
  -- Counts changes of the address, its own or the booking system's: a response from a previous one is not stored.
  address_version integer not null default 0,
  -- From the plugin's manifest.
  write_unit text not null check (write_unit in ('waiver', 'booking')),
  takes_guest_updates boolean not null,
  -- The id by which the booking system knows a waiver. Only where it is the guest's does a waiver move between guests.
  guest_id text not null default 'booking-guest-id' check (guest_id in ('booking-guest-id', 'waiver-id', 'none')),
  made_by text not null check (made_by in ('booking-system', 'operator')),
  approved_by text,
  approved_at timestamptz,
  share_properties text[] not null default '{}',
  -- Whether signed documents may be sent there too, if its plugin accepts them.
  share_document boolean not null default false,
  share_allowed_by text,
  share_allowed_at timestamptz,
  -- PostgreSQL uses an index only for comparisons in the index's collation: this column has that of "destination.id".
  destination_id text collate "C" not null unique,
  installed_at timestamptz not null,
  settings_version uuid not null default gen_random_uuid(),
  updated_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (pool, booking_system),
  constraint installation_has_account check (
    (status <> 'uninstalled') = (account_id is not null)
    and (status <> 'uninstalled') = (account_encrypted is not null))
);
create trigger change_settings_version before update on installation
  for each row execute function change_settings_version();
-- A call at an address that serves all accounts names only its account.
create index installation_account on installation (booking_system, account_id) where account_id is not null;
create index installation_pending on installation (destination_id) where status = 'pending';

-- App pool keys, with which a booking system authenticates its calls for a pool.
create table pool_key (
  id text collate "C" primary key,
  pool text not null,
  booking_system text not null,
  -- Whether it is in the address of webhooks that the service registered: it outlives reinstalls, since the vendor keeps
  -- the address.
  of_webhook boolean not null default false,
  hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz,
  -- Null for the newest key, and for that of webhooks.
  expires_at timestamptz,
  foreign key (pool, booking_system) references installation (pool, booking_system) on delete cascade
);
create index pool_key_of_installation on pool_key (pool, booking_system);

-- Running contract checks: at most one per installation at a time, across hosts.
create table installation_check (
  pool text not null references pool (id) on delete cascade,
  booking_system text not null,
  lease_until timestamptz not null,
  primary key (pool, booking_system)
);

-- Webhooks that the service registers at a vendor. The row is deleted once they are removed after an uninstall.
create table vendor_webhook (
  destination text collate "C" primary key,
  pool text not null,
  booking_system text not null,
  state text not null default 'registering' check (state in ('registering', 'registered', 'failing', 'off', 'removing')),
  key_encrypted text,
  base_urls text[] not null default '{}',
  -- A copy for the removal, once uninstalled.
  account_encrypted text,
  -- Counts the changes, so that one made during an attempt is not lost.
  request bigint not null default 1,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  leased_until timestamptz not null default '-infinity',
  give_up_at timestamptz,
  registered_at timestamptz,
  failed_at timestamptz,
  failure_code text,
  failure_message text,
  foreign key (pool, booking_system) references installation (pool, booking_system) on delete cascade,
  check ((state = 'removing') = (account_encrypted is not null))
);
create index vendor_webhook_due_at on vendor_webhook (due_at);
create index vendor_webhook_of_installation on vendor_webhook (pool, booking_system);

-- One row: the base address that vendors call, from the host that was started last.
create table inbound_base_url (
  id boolean primary key default true check (id),
  base_url text not null
);
`;

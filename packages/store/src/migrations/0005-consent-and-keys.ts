import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Who may install into a pool, and which booking system a request means that names none.
  sql`alter table pool
    add column installs text not null default 'first' check (installs in ('first', 'any', 'approve')),
    add column default_booking_system text`,
  sql`update pool p set default_booking_system = (
    select i.booking_system from installation i where i.pool = p.id and i.status = 'installed'
    order by i.installed_at, i.booking_system limit 1)`,

  // `pending`: installed, with its account and its keys, but an operator has yet to approve it.
  sql`alter table installation
    drop constraint installation_status_check,
    drop constraint installation_check,
    drop constraint installation_check1,
    add constraint installation_status_check check (status in ('installed', 'pending', 'uninstalled')),
    add constraint installation_has_account check (
      (status <> 'uninstalled') = (account_id is not null)
      and (status <> 'uninstalled') = (account_encrypted is not null)),
    add column approved_by text,
    add column approved_at timestamptz`,

  // Whose id a booking system is told a waiver by: only where it is the guest's is a waiver moved between guests there.
  sql`alter table installation add column guest_id text not null default 'booking-guest-id'
    check (guest_id in ('booking-guest-id', 'waiver-id', 'none'))`,

  // One row: what the encryption keys of a host must open, or they are not those of this database.
  sql`create table encryption_check (
    id boolean primary key default true check (id),
    encrypted text not null
  )`,
];

/** Consent to installs, whose id moves with a guest, and the check of the encryption keys. */
export const consentAndKeys: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(database);
  },
};

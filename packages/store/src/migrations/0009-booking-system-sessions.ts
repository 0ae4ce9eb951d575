import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Of an installation, by its destination. A new version is a new session; `renewing_by` stays where a renewal ended
  // without a record.
  sql`create table booking_system_session (
    destination text collate "C" primary key references destination (id),
    version integer not null default 0,
    session_encrypted text,
    renewing_by uuid,
    renewing_until timestamptz,
    lost_since timestamptz,
    lost_reason text,
    failures integer not null default 0,
    retry_at timestamptz
  )`,
  // Nothing is sent before, because the authorization is lost. Apart from `held_until`: it does not concern reads.
  sql`alter table destination add column unauthorized_until timestamptz`,
  // Visits of operators' browsers to a booking system's authorization page, by the hash of their state.
  sql`create table authorization_request (
    state_hash bytea primary key,
    destination text collate "C" not null references destination (id),
    booking_system text not null,
    verifier_encrypted text not null,
    expires_at timestamptz not null
  )`,
  sql`create index authorization_request_destination on authorization_request (destination)`,
];

/** Tokens of booking systems, and how they are renewed by one host at a time. */
export const bookingSystemSessions: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

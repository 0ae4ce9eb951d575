import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // The messages of booking systems that were taken, by the SHA-256 of their ids: one that comes again leads to nothing.
  sql`create table inbound_message (
    pool text not null,
    booking_system text not null,
    message bytea not null,
    received_at timestamptz not null default now(),
    primary key (pool, booking_system, message),
    foreign key (pool, booking_system) references installation (pool, booking_system) on delete cascade
  )`,
  sql`create index inbound_message_received_at on inbound_message (received_at)`,
  // A call at an address that serves all accounts names only its account.
  sql`create index installation_account on installation (booking_system, account_id) where account_id is not null`,
];

/** Inbound calls: messages that were taken, and installations by their account. */
export const inboundCalls: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

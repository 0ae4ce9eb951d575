import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The installations that are being checked against the contract, each at most once at a time, on whatever host. */
export const installationChecks: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`create table installation_check (
      pool text not null references pool (id) on delete cascade,
      booking_system text not null,
      lease_until timestamptz not null,
      primary key (pool, booking_system)
    )`.execute(database);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // How much each destination took and failed to take, in parts of a quarter of an hour. Nothing in it is of a guest.
  sql`create table destination_activity (
    destination text collate "C" not null,
    at timestamptz not null,
    delivered integer not null,
    failed integer not null,
    primary key (destination, at)
  ) with (fillfactor = 70)`,
  sql`create index destination_activity_by_age on destination_activity (at)`,
];

/** Deliveries by their errors, and how destinations fare over time. */
export const errorsAndActivity: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

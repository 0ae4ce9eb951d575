import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Failed attempts by their error and by their status, newest deliveries last. Accepted ones, which are nearly all, are
  // in neither.
  sql`create index attempt_by_error on attempt (error_code, delivery) where error_code is not null`,
  sql`create index attempt_by_status on attempt (status, delivery) where error_code is not null`,

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

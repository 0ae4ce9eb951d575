import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // A destination counts how often it was allowed fewer answers than before, a delivery has the count of its body:
  // a claim sees by them alone which bodies may hold more than may leave. Of those that are there nothing is known.
  sql`alter table destination add column permission_version integer not null default 0`,
  sql`alter table delivery add column permission_version integer not null default 0`,
  sql`update destination set permission_version = 1`,
  // Why it ended without having been sent.
  sql`alter table delivery add column reason text`,
  sql`alter table attempt add column warnings text`,
  // The answer to what was accepted may hold a guest's data, and tells an operator nothing.
  sql`update attempt set response = null where outcome = 'accepted' and response is not null`,
  sql`create index attempt_with_answer on attempt (pool, delivery) where response is not null or warnings is not null`,
];

/** Counts the changes of what may be shared, and indexes stored answers, so that they can be erased. */
export const whatMayLeave: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(database);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

// PostgreSQL uses an index for a comparison of one collation only. Destinations are compared in that of `destination.id`.
const statements = [
  sql`alter table installation alter column destination_id type text collate "C"`,
  sql`alter table webhook alter column destination_id type text collate "C"`,
];

/** Finds a destination's owner by an index. */
export const destinationCollation: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

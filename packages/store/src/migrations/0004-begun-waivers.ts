import { sql } from 'kysely';
import type { SchemaMigration } from './schema-migration.ts';

/** Marks waivers that a guest has begun on the check-in page and not signed. The values are a `BegunState`. */
export const begunWaivers: SchemaMigration = {
  async up(database) {
    await sql`alter table waiver add column begun text`.execute(database);
  },
};

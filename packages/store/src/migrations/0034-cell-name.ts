import { sql } from 'kysely';
import type { SchemaMigration } from './schema-migration.ts';

/** Whose database this is, as the hosts that use it say. */
export const cellName: SchemaMigration = {
  async up(database) {
    await sql`create table cell_name (id boolean primary key default true check (id), name text not null)`.execute(
      database,
    );
  },
};

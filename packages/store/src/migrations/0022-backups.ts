import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When the database was backed up with our command. */
export const backups: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    // Other backups (of the server, of its disk) are not known here.
    await sql`create table backup (
      id bigint generated always as identity primary key,
      taken_at timestamptz not null,
      key_id text not null,
      file_bytes bigint not null
    )`.execute(database);
  },
};

import { sql } from 'kysely';
import type { SchemaMigration } from './schema-migration.ts';

const statements = [
  // No reference to the waiver: a partitioned table could not be referred to, and the check would cost each change.
  sql`create table waiver_version (
    pool text not null,
    waiver_id text collate "C" not null,
    version integer not null,
    former_version integer not null,
    at timestamptz not null,
    actor text,
    actor_name text,
    field_changes text,
    answer_changes text,
    primary key (pool, waiver_id, version)
  ) with (autovacuum_vacuum_insert_scale_factor = 0.05)`,
  sql`create function remove_waiver_versions() returns trigger language plpgsql as $$
    begin
      delete from waiver_version v using removed o where v.pool = o.pool and v.waiver_id = o.id;
      return null;
    end $$`,
  sql`create trigger remove_waiver_versions after delete on waiver
    referencing old table as removed for each statement execute function remove_waiver_versions()`,
];

/** The versions of waivers: what each changed, and who made it. */
export const waiverVersions: SchemaMigration = {
  async up(database) {
    for (const statement of statements) await statement.execute(database);
  },
};

import type { Database } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { z } from 'zod';

/** A table, with its columns except generated ones. */
export const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()) });
export type BackupTable = z.infer<typeof tableSchema>;

/**
 * Every table of the schema, referenced tables first. Excludes those of extensions, which database providers may
 * install in the same schema.
 */
export async function listTables(database: Database): Promise<BackupTable[]> {
  const { rows } = await sql<BackupTable>`
with recursive depth as (
  select c.oid, 0 as depth from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (
      select from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')
  union
  select k.conrelid, d.depth + 1 from depth d join pg_constraint k on k.confrelid = d.oid
  where k.contype = 'f' and k.conrelid <> k.confrelid)
select c.relname as name,
  array(select a.attname::text from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum) as columns
from depth d join pg_class c on c.oid = d.oid
group by c.oid, c.relname order by max(d.depth), c.relname`.execute(database);
  return rows;
}

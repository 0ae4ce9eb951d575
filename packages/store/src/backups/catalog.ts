import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { BackupProblem } from './backup-problem.ts';
import type { BackupManifest, BackupTable } from './records.ts';

// Providers of databases install extensions, whose tables and views may be in the same schema. They are not ours.
const ofExtension = sql`exists (
  select from pg_depend e where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')`;

/**
 * Every table of the schema with the columns that hold data, those that others refer to first. Not the lock of Kysely's
 * migrator, which former versions made.
 */
export async function listTables(database: Database): Promise<readonly BackupTable[]> {
  const { rows } = await sql<BackupTable & { readonly refersTo: readonly string[] }>`
select c.relname as name,
  array(select a.attname::text from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attnum) as columns,
  array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
    where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid and f.relnamespace = c.relnamespace) as "refersTo"
from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and c.relname <> 'migration_lock' and not ${ofExtension}
order by c.relname`.execute(database);
  const ordered: BackupTable[] = [];
  const done = new Set<string>();
  let rest = rows;
  while (rest.length > 0) {
    const ready = rest.filter(({ refersTo }) => refersTo.every((name) => done.has(name)));
    if (ready.length === 0)
      throw new Error(`the tables ${rest.map(({ name }) => name).join(', ')} refer to each other`);
    for (const { name, columns } of ready) {
      ordered.push({ name, columns });
      done.add(name);
    }
    rest = rest.filter(({ name }) => !done.has(name));
  }
  return ordered;
}

/** The positions of all sequences; those of a snapshot may be further on than its rows. */
export async function listSequences(database: Database): Promise<BackupManifest['sequences']> {
  const { rows: names } = await sql<{ name: string }>`
select relname as name from pg_class
where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`.execute(database);
  const sequences: BackupManifest['sequences'] = [];
  for (const { name } of names) {
    const { rows } = await sql<{ value: string; isCalled: boolean }>`
select last_value::text as value, is_called as "isCalled" from ${sql.table(name)}`.execute(database);
    for (const position of rows) sequences.push({ name, ...position });
  }
  return sequences;
}

/** @throws BackupProblem unless there is nothing in the schema, not even an empty table; extensions apart */
export async function requireEmptySchema(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string; count: number }>`
select min(c.relname) as name, count(*)::integer as count from pg_class c
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
  and not ${ofExtension}`.execute(database);
  const [found] = rows;
  if (found === undefined || found.count === 0) return;
  throw new BackupProblem(
    `the database is not empty (it has ${found.name}${found.count === 1 ? '' : ` and ${found.count - 1} more`}): restore into a new one, and start no host on it before`,
  );
}

import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** Records that the database is that of a cell: an address of a database does not say so. */
export async function recordCellName(database: Database, cell: string): Promise<void> {
  await sql`
insert into cell_name (name) values (${cell})
on conflict (id) do update set name = excluded.name where cell_name.name <> excluded.name`.execute(database);
}

/** The cell whose hosts use the database; undefined if none of them has had a name. */
export async function readCellName(database: Database): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from cell_name`.execute(database);
  return rows[0]?.name;
}

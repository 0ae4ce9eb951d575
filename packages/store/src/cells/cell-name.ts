import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { UnsuitableDatabase } from '../migrations/migrate.ts';

/**
 * Records that the database is that of a cell: an address of a database does not say so.
 *
 * @throws UnsuitableDatabase if it is that of another cell
 */
export async function recordCellName(database: Database, cell: string): Promise<void> {
  await sql`insert into cell_name (name) values (${cell}) on conflict (id) do nothing`.execute(database);
  const recorded = await readCellName(database);
  if (recorded === cell) return;
  throw new UnsuitableDatabase(
    `the database is that of the cell "${recorded}", and CELL is "${cell}": is DATABASE_URL that of the other cell? To rename a cell, see "Rename a cell" in docs/operating.md`,
  );
}

/** The cell whose hosts use the database; undefined if none of them has had a name. */
export async function readCellName(database: Database): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from cell_name`.execute(database);
  return rows[0]?.name;
}

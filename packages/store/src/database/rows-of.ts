import { type RawBuilder, sql } from 'kysely';

type Value = string | number | boolean | null;
type ColumnType = 'boolean' | 'double precision' | 'integer' | 'text' | 'timestamptz' | 'uuid';

/**
 * Rows as what a statement selects from: an array for each column, so that the statement is the same for any number of
 * rows. PostgreSQL reads arrays in a fraction of the time that it takes for the same rows as JSON, and they are half
 * as long.
 *
 * @param name - what the statement calls them
 */
export function rowsOf<Row extends { readonly [Name in keyof Row]: Value }>(
  rows: readonly Row[],
  name: string,
  types: { readonly [Name in keyof Row]: ColumnType },
): RawBuilder<unknown> {
  const columns: RawBuilder<unknown>[] = [];
  const names: string[] = [];
  for (const column in types) {
    columns.push(sql`${rows.map((row) => row[column])}::${sql.raw(types[column])}[]`);
    names.push(column);
  }
  return sql`unnest(${sql.join(columns)}) as ${sql.raw(`${name} (${names.join(', ')})`)}`;
}

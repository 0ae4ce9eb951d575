import { type RawBuilder, sql } from 'kysely';

type Value = string | number | boolean | null;
/** The type of a column of {@link rowsOf}. */
export type ColumnType =
  | 'bigint'
  | 'boolean'
  | 'double precision'
  | 'integer'
  | 'text'
  | 'tid'
  | 'timestamptz'
  | 'uuid';

const special = /["\\]/g;
// Control characters and lone surrogates, the only others that JSON writes in another way than an array.
const differsInJson = /[\p{Cc}\p{Cs}]/u;

function quoted(text: string): string {
  if (text.search(special) < 0) return `"${text}"`;
  // A third of the time, and most such texts are long: bodies, answers.
  return differsInJson.test(text) ? `"${text.replace(special, '\\$&')}"` : JSON.stringify(text);
}

const elementOf = (value: Value) => {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? quoted(value) : value;
};

/** A PostgreSQL array literal. Built here because the driver takes several times as long. */
export const arrayOf = (values: readonly Value[]): string => `{${values.map(elementOf).join()}}`;

/** The name in SQL of a name in camel case. */
export const columnName = (name: string): string =>
  name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/**
 * Rows as a `from` item: one array parameter per column, so that the statement's text, and with it its plan, does not
 * depend on the number of rows. PostgreSQL parses arrays several times faster than the same rows as JSON.
 *
 * @param name - the table alias
 */
export function rowsOf<Row extends { readonly [Name in keyof Row]: Value }>(
  rows: readonly Row[],
  name: string,
  types: { readonly [Name in keyof Row]: ColumnType },
): RawBuilder<unknown> {
  const columns: RawBuilder<unknown>[] = [];
  const names: string[] = [];
  for (const column in types) {
    columns.push(sql`${arrayOf(rows.map((row) => row[column]))}::${sql.raw(types[column])}[]`);
    names.push(columnName(column));
  }
  return sql`unnest(${sql.join(columns)}) as ${sql.raw(`${name} (${names.join(', ')})`)}`;
}

/**
 * Columns to write, without undefined ones: `insert into t (${names}) values (${values})`, or
 * `update t set ${assignments}`.
 */
export function definedColumns(columns: Readonly<Record<string, unknown>>): {
  readonly names: RawBuilder<unknown>;
  readonly values: RawBuilder<unknown>;
  readonly assignments: RawBuilder<unknown>;
} {
  const defined = Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [columnName(name), value] as const);
  return {
    names: sql.join(defined.map(([name]) => sql.ref(name))),
    values: sql.join(defined.map(([, value]) => value)),
    assignments: sql.join(defined.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)),
  };
}

/** A row that an item of a list is made from: what the item may lack is null. */
export type RowOf<Item> = {
  readonly [Name in keyof Item]-?: undefined extends Item[Name]
    ? Exclude<Item[Name], undefined> | null
    : Item[Name];
};

/** A row without those of the named columns that are null. */
export function omitNulls<Row extends object, Name extends keyof Row & string>(
  row: Row,
  ...names: readonly Name[]
): Omit<Row, Name> & { [Each in Name]?: NonNullable<Row[Each]> } {
  const omitted: readonly string[] = names;
  const kept: unknown[][] = Object.entries(row).filter(
    ([name, value]) => value !== null || !omitted.includes(name),
  );
  return Object.fromEntries(kept);
}

import { type RawBuilder, sql } from 'kysely';
import { columnName } from './rows-of.ts';

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

import { type RawBuilder, sql } from 'kysely';

/** The condition that a column names one of some pools; `undefined` means all. */
export function inPools(
  column: RawBuilder<unknown>,
  pools: readonly string[] | null | undefined,
): RawBuilder<boolean> {
  if (pools === undefined || pools === null) return sql`true`;
  const [first] = pools;
  // An index on the pool and the id reads one pool in the list's order, but not several.
  if (pools.length === 1) return sql`${column} = ${first}`;
  return sql`${column} = any(${[...pools]}::text[])`;
}

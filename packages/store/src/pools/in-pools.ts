import { type RawBuilder, sql } from 'kysely';

/** The condition that a column names one of the pools; null and `undefined` mean all. */
export function inPools(
  column: RawBuilder<unknown>,
  pools: readonly string[] | null | undefined,
): RawBuilder<boolean> {
  if (pools === undefined || pools === null) return sql`true`;
  const [first] = pools;
  // An index on the pool and the id yields one pool in list order, but not several.
  if (pools.length === 1) return sql`${column} = ${first}`;
  return sql`${column} = any(${[...pools]}::text[])`;
}

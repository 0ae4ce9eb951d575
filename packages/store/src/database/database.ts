import { CamelCasePlugin, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Columns are in camel case in the query builder, in `sql.ref` and in results, and in snake case in `sql` templates. */
export type Database = Kysely<Tables>;

/** Leaves the keys of JSON values as they are. */
export const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];

/** While a transaction is open, use it for every query, never the database that it was begun on. */
export type DatabaseTransaction = Transaction<Tables>;

/** The database's clock, which all hosts share, truncated to the milliseconds that a `Date` holds. */
export const currentTime = sql<Date>`date_trunc('milliseconds', now())`;

import { type Kysely, sql, type Transaction } from 'kysely';

/** Without types of tables: statements are `sql` templates, each with the type of its rows. */
export type Database = Kysely<unknown>;

/** While a transaction is open, use it for every query, never the database that it was begun on. */
export type DatabaseTransaction = Transaction<unknown>;

/** The database's clock, which all hosts share, truncated to the milliseconds that a `Date` holds. */
export const currentTime = sql<Date>`date_trunc('milliseconds', now())`;

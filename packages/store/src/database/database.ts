import { type Kysely, sql, type Transaction } from 'kysely';

/** Statements are `sql` templates, each with the type of its rows beside it: the tables are not known as types. */
export type Database = Kysely<unknown>;

/** While a transaction is open, use it for every query, never the database that it was begun on. */
export type DatabaseTransaction = Transaction<unknown>;

/** The database's clock, which all hosts share, cut to the milliseconds that a `Date` holds. */
export const currentTime = sql<Date>`date_trunc('milliseconds', now())`;

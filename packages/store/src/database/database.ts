import { type Kysely, sql, type Transaction } from 'kysely';
import type { AlertTables } from './tables-alerts.ts';
import type { ConfigurationTables } from './tables-configuration.ts';
import type { OutboxTables } from './tables-outbox.ts';

export interface Tables extends AlertTables, ConfigurationTables, OutboxTables {}

export type Database = Kysely<Tables>;

/** While a transaction is open, use it for every query, never the database that it was begun on. */
export type DatabaseTransaction = Transaction<Tables>;

/** The database's clock, which all hosts share, cut to the milliseconds that a `Date` holds. */
export const currentTime = sql<Date>`date_trunc('milliseconds', now())`;

import type {
  Database as DatabaseOf,
  TablesOf,
  DatabaseTransaction as TransactionOf,
} from '@waiver-service/database';
import type { OutboxTables } from '@waiver-service/outbox';
import type { migrations } from '../migrations/migrations.ts';

/** The tables of the current schema, with those of the outbox, and their columns in camel case. */
export type Tables = OutboxTables & TablesOf<typeof migrations>;

export type Database = DatabaseOf<Tables>;

/** While a transaction is open, use it for every query, never the database that it was begun on. */
export type DatabaseTransaction = TransactionOf<Tables>;

import type { Kysely, Transaction } from 'kysely';
import type { ConfigurationTables } from './tables-configuration.ts';
import type { OutboxTables } from './tables-outbox.ts';

/** Every table. */
export interface Tables extends ConfigurationTables, OutboxTables {}

/** The whole database. */
export type Database = Kysely<Tables>;

/** One transaction; inside it, nothing else may be used. */
export type DatabaseTransaction = Transaction<Tables>;

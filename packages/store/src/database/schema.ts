import { Schema, type SchemaMigration } from '@waiver-service/database';
import { migrations as outboxMigrations } from '@waiver-service/outbox';
import { migrations } from '../migrations/migrations.ts';
import { alignChangeClock } from './change-clock.ts';
import type { Tables } from './tables.ts';

type Migrations = Readonly<Record<string, SchemaMigration>>;

/** What makes tables: a feature. */
export interface Migrating {
  readonly migrations: Migrations;
}

function joined(one: SchemaMigration, other: SchemaMigration): SchemaMigration {
  if ('index' in one || 'index' in other)
    throw new Error('a migration that builds an index shares its name with no other');
  return { ...one, ...other, statements: [...one.statements, ...other.statements] };
}

/** The schema of the service: the tables of the outbox and of the store, and those of features. */
export function schemaOf(features: readonly Migrating[]): Schema<Tables> {
  const all: Record<string, SchemaMigration> = { ...outboxMigrations };
  for (const feature of [{ migrations }, ...features]) {
    for (const [name, migration] of Object.entries(feature.migrations)) {
      const former = all[name];
      all[name] = former === undefined ? migration : joined(former, migration);
    }
  }
  return new Schema<Tables>({ migrations: all, afterMigrating: alignChangeClock });
}

/** The tables of the outbox and of the store: enough to connect by. */
export const schema = schemaOf([]);

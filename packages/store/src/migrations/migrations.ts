import type { Migration } from 'kysely/migration';
import { configuration } from './0001-configuration.ts';
import { waiversAndOutbox } from './0002-waivers-and-outbox.ts';

/** Every migration, by the name it is recorded under; they run in the order of their names, forward only. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-configuration': configuration,
  '0002-waivers-and-outbox': waiversAndOutbox,
};

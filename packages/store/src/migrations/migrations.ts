import type { SchemaMigration } from '@waiver-service/database';
import { begunWaivers } from './0004-begun-waivers.ts';
import { waiverBegun } from './0005-waiver-begun.ts';
import { baseline } from './baseline/index.ts';

/** Every migration, by the name it is recorded under; they run in the order of their names, forward only. `Tables` are the types of
 * what they make. */
export const migrations = {
  '0001-baseline': baseline,
  '0004-begun-waivers': begunWaivers,
  '0005-waiver-begun': waiverBegun,
} as const satisfies Readonly<Record<string, SchemaMigration>>;

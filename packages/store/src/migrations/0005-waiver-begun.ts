import type { SchemaMigration } from './schema-migration.ts';

/** Few waivers are begun and not yet signed; a job looks through them. */
export const waiverBegun: SchemaMigration = {
  index: { name: 'waiver_begun', on: 'waiver (pool, id) where begun is not null and not deleted' },
};

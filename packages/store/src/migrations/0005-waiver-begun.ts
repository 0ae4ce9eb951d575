import type { SchemaMigration } from '@waiver-service/database';

/** Few waivers are begun and not yet signed; a job looks through them. */
export const waiverBegun = {
  index: { name: 'waiver_begun', on: 'waiver (pool, id) where begun is not null and not deleted' },
} as const satisfies SchemaMigration;

import type { SchemaMigration } from './schema-migration.ts';

const index = (name: string, on: string): SchemaMigration => ({ index: { name, on } });

/** Indexes that keep lists quick among the data of years. */
export const growth = {
  '0028-delivery-of-pool': index('delivery_of_pool', 'delivery (pool, id)'),
  '0028-waiver-held': index('waiver_held', 'waiver (pool, updated_at, id) where hold_reason is not null'),
};

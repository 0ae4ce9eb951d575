import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Without a reference to the pool, which is no longer here.
  sql`create table moved_pool (
    pool text collate "C" primary key,
    cell text not null,
    moved_at timestamptz not null default date_trunc('milliseconds', now())
  )`,
  // A vendor's calls name no pool, only the key that its address has. The cell with the pool verifies it.
  sql`create table moved_pool_key (
    hash bytea primary key,
    pool text collate "C" not null references moved_pool (pool) on delete cascade
  )`,
  sql`create index moved_pool_key_of_pool on moved_pool_key (pool)`,
];

/** The pools that have left this database for that of another cell, and the app pool keys by which calls come for them. */
export const movedPools: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

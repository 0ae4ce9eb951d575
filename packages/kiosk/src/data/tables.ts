import type { Database as DatabaseOf, SchemaMigration, TablesOf } from '@waiver-service/database';
import type { FeatureData, StoreContext, Tables as StoreTables } from '@waiver-service/store/features';
import { sql } from 'kysely';

/** Kiosks: tablets on which guests sign, one after the other. */
const kiosks = `
create table kiosk (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  name text not null,
  -- PBKDF2 of the PIN, as JSON. The tablet has it too, so that staff can unlock it offline.
  pin_verifier text not null,
  -- After this long without a touch, it returns to its first screen.
  return_after_s integer not null check (return_after_s between 15 and 900),
  -- Of the credential; null until it is paired.
  hash bytea unique,
  paired_at timestamptz,
  last_seen_at timestamptz,
  -- Signings that wait on the tablet, and since when, as last reported.
  waiting integer not null default 0,
  waiting_since timestamptz,
  created_by text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  -- A revoked kiosk is kept, so that signings that still wait there can be attributed to it.
  revoked_at timestamptz
);
create index kiosk_of_pool on kiosk (pool, id) where revoked_at is null;
create index kiosk_revoked on kiosk (revoked_at) where revoked_at is not null;

-- One-time codes that turn a tablet into a kiosk.
create table kiosk_code (
  kiosk text collate "C" primary key references kiosk (id) on delete cascade,
  hash bytea not null unique,
  expires_at timestamptz not null
);
`;

const migrations = {
  '0001-baseline': { statements: [kiosks] },
} as const satisfies Readonly<Record<string, SchemaMigration>>;

export type OwnTables = TablesOf<typeof migrations>;

export interface KioskContext extends Omit<StoreContext, 'database'> {
  readonly database: DatabaseOf<StoreTables & OwnTables>;
}

/** The tables of kiosks. */
export const kioskData: FeatureData = {
  migrations,
  retention: () => [
    // Signings that waited there have arrived, or never will.
    { table: 'kiosk', maxBatchSize: 500, isOver: sql`t.revoked_at < now() - interval '2 years'` },
    { table: 'kiosk_code', maxBatchSize: 500, isOver: sql`t.expires_at < now()` },
  ],
};

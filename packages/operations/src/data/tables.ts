import type { SchemaMigration, TablesOf } from '@waiver-service/database';
import type { FeatureData } from '@waiver-service/store/features';

const backups = `
-- Backups by the service's command. Others (of the server, of its disk) are not known here.
create table backup (
  id bigint generated always as identity primary key,
  -- The time of its snapshot.
  taken_at timestamptz not null,
  -- The encryption key that decrypts it.
  key_id text not null,
  file_bytes bigint not null
);
`;

const migrations = {
  '0001-baseline': { statements: [backups] },
} as const satisfies Readonly<Record<string, SchemaMigration>>;

export type OwnTables = TablesOf<typeof migrations>;

/** The tables of operations. */
export const operationsData: FeatureData = { migrations };

import type { SchemaMigration, TablesOf } from '@waiver-service/database';

/** Erasures of guests. (The retention of waivers, and holds, are columns of pools and waivers.) */
const erasures = `
create table erasure (
  id text collate "C" primary key,
  pool text not null references pool (id) on delete cascade,
  -- Telling: receivers of the guest's data have yet to be notified.
  state text not null default 'telling' check (state in ('telling', 'done')),
  -- Lets a repeated request find this one; removed when the erasure has ended.
  email_hash bytea,
  waivers integer not null,
  held_waivers text[] not null default '{}',
  asked_by text not null,
  asked_at timestamptz not null default date_trunc('milliseconds', now()),
  give_up_at timestamptz not null,
  due_at timestamptz not null default now(),
  done_at timestamptz
);
create index erasure_of_pool on erasure (pool, id);
create index erasure_due_at on erasure (due_at) where state = 'telling';
`;

export const migrations = {
  '0001-baseline': { statements: [erasures] },
} as const satisfies Readonly<Record<string, SchemaMigration>>;

export type OwnTables = TablesOf<typeof migrations>;

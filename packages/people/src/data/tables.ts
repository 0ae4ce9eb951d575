import {
  type Database as DatabaseOf,
  milliseconds,
  type SchemaMigration,
  type TablesOf,
} from '@waiver-service/database';
import type { FeatureData, StoreContext, Tables as StoreTables } from '@waiver-service/store/features';
import { sql } from 'kysely';

/** Who operates the service: people and programs. Secrets are stored as hashes only. */
const people = `
-- Tokens of people and programs.
create table credential (
  id text collate "C" primary key,
  name text not null,
  role text not null check (role in ('owner', 'operator', 'viewer')),
  -- Null: all pools.
  pools text[],
  hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  last_used_at timestamptz,
  expires_at timestamptz,
  check (role <> 'owner' or pools is null)
);

-- Who is signed in to the console: with a credential, vouched for by an OpenID Connect issuer (which sets subject, name,
-- role, pools and rules), or with the admin token (neither).
create table person_session (
  id uuid primary key,
  hash bytea not null unique,
  -- Revoking a credential ends its sessions and sign-in codes.
  credential text collate "C" references credential (id) on delete cascade,
  subject text,
  name text,
  role text,
  pools text[],
  rules text,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  seen_at timestamptz not null default date_trunc('milliseconds', now()),
  expires_at timestamptz not null,
  constraint person_session_issuer check (
    (subject is null and name is null and role is null and pools is null and rules is null)
    or (credential is null and subject is not null and name is not null
      and role is not null and role in ('owner', 'operator', 'viewer') and rules is not null))
);
create index person_session_of_credential on person_session (credential);
create index person_session_by_end on person_session (expires_at);

-- The codes of sign-in links.
create table sign_in_code (
  hash bytea primary key,
  credential text collate "C" references credential (id) on delete cascade,
  expires_at timestamptz not null
);
create index sign_in_code_of_credential on sign_in_code (credential);

-- Sign-ins that an issuer has answered: no answer is accepted twice.
create table ended_sign_in (
  id text collate "C" primary key,
  expires_at timestamptz not null
);
create index ended_sign_in_by_end on ended_sign_in (expires_at);
`;
/** The audit log: changes by people and keys, and what they read of guests. */
const audit = `
create table audit_entry (
  -- UUID version 7: begins with the time in milliseconds.
  id uuid primary key,
  at timestamptz not null default date_trunc('milliseconds', now()),
  actor text not null,
  name text,
  action text not null,
  pool text,
  target text,
  request_id text not null,
  address text not null,
  -- How the request ended; null until it did.
  status integer
);
create index audit_entry_of_pool on audit_entry (pool, id);
create index audit_entry_of_actor on audit_entry (actor, id);
create index audit_entry_of_action on audit_entry (action, id);

-- Append-only: the end of the request sets the status and, since a created resource has an id only then, the target. Only
-- pruning deletes.
create function keep_audit_entry() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and old.status is null and new.status is not null
      and to_jsonb(new) - 'status' - 'target' = to_jsonb(old) - 'status' - 'target' then return new;
    end if;
    if tg_op = 'DELETE' and current_setting('waiver_service.prunes_audit_entries', true) = 'on' then
      return old;
    end if;
    raise exception 'audit_entry is append-only';
  end $$;
create trigger keep_audit_entry before update or delete on audit_entry
  for each row execute function keep_audit_entry();
create trigger keep_audit_entries before truncate on audit_entry
  for each statement execute function keep_audit_entry();

-- The last day is never pruned, whatever a host's settings.
create function prune_audit_entries(older_than interval, most integer) returns integer
  language plpgsql set search_path from current as $$
  declare
    oldest_ms bigint := extract(epoch from now() - greatest(older_than, interval '1 day')) * 1000;
    oldest uuid := rpad(lpad(to_hex(oldest_ms), 12, '0'), 32, '0')::uuid;
    pruned integer;
  begin
    perform set_config('waiver_service.prunes_audit_entries', 'on', true);
    delete from audit_entry where id in (
      select id from audit_entry where id < oldest order by id limit most for update skip locked);
    get diagnostics pruned = row_count;
    perform set_config('waiver_service.prunes_audit_entries', 'off', true);
    return pruned;
  end $$;
`;

const migrations = {
  '0001-baseline': { statements: [people, audit] },
} as const satisfies Readonly<Record<string, SchemaMigration>>;

export type OwnTables = TablesOf<typeof migrations>;

export type Database = DatabaseOf<StoreTables & OwnTables>;

export interface PeopleContext extends Omit<StoreContext, 'database'> {
  readonly database: Database;
}

/** The tables of people and of the audit log. */
export const peopleData: FeatureData = {
  migrations,
  // They may have ended since the backup: people sign in again.
  notRestored: ['person_session', 'sign_in_code'],
  retention: ({ auditRetentionMs }) => [
    {
      table: 'audit_entry',
      maxBatchSize: 1_000,
      kind: 'audit-entry',
      // Only the owner of this function may delete entries.
      async isOver(database, maxBatchSize) {
        const { rows } = await sql<{ pruned: number }>`
select prune_audit_entries(${milliseconds(auditRetentionMs)}, ${maxBatchSize}::integer) as pruned`.execute(
          database,
        );
        return rows[0]?.pruned ?? 0;
      },
    },
  ],
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Tokens of people and programs. Without pools, all of them.
  sql`create table credential (
    id text collate "C" primary key,
    name text not null,
    role text not null check (role in ('owner', 'operator', 'viewer')),
    pools text[] check (role <> 'owner' or pools is null),
    hash bytea not null unique,
    hint text not null,
    created_at timestamptz not null default date_trunc('milliseconds', now()),
    last_used_at timestamptz,
    expires_at timestamptz
  )`,

  // Tokens from before may do what they could: everything.
  sql`alter table access_token
    add column name text,
    add column scopes text[] not null default '{bookings:read,waivers:write,waivers:read,waivers:list}',
    add column expires_at timestamptz`,

  // A recovery is limited to the pools of who started it.
  sql`alter table recovery add column pools text[]`,
  sql`update recovery set pools = array[pool] where pool is not null`,
  sql`alter table recovery drop column pool`,

  // One row for each change by a person or a key. The status is how the request ended; null until it did.
  sql`create table audit_entry (
    id uuid primary key,
    at timestamptz not null default date_trunc('milliseconds', now()),
    actor text not null,
    name text,
    action text not null,
    pool text,
    target text,
    request_id text not null,
    address text not null,
    status integer
  )`,
  sql`create index audit_entry_of_pool on audit_entry (pool, id)`,
  sql`create index audit_entry_of_actor on audit_entry (actor, id)`,
  sql`create index audit_entry_of_action on audit_entry (action, id)`,

  // Append-only: a row's status is set once, and only pruning deletes.
  sql`create function keep_audit_entry() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old.status is null and new.status is not null
        and to_jsonb(new) - 'status' = to_jsonb(old) - 'status' then return new;
      end if;
      if tg_op = 'DELETE' and current_setting('waiver_service.prunes_audit_entries', true) = 'on' then
        return old;
      end if;
      raise exception 'audit_entry is append-only';
    end $$`,
  sql`create trigger keep_audit_entry before update or delete on audit_entry
    for each row execute function keep_audit_entry()`,
  sql`create trigger keep_audit_entries before truncate on audit_entry
    for each statement execute function keep_audit_entry()`,
  // Ids are UUIDs version 7: they begin with the time in milliseconds. The last day is never pruned.
  sql`create function prune_audit_entries(older_than interval, most integer) returns integer language plpgsql as $$
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
    end $$`,
];

/** Credentials with roles, scopes and expiry of access tokens, and the audit log. */
export const people: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

/** The audit log: changes by people and keys, and what they read of guests. */
export const audit = `
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

/**
 * Waivers with their versions, and the order of their changes. Busy tables have the pool in their keys, so that
 * partitioning them by pool would only change DDL.
 */
export const waivers = `
-- Ids are unique across pools, which a key that includes the pool does not ensure.
create table waiver_id (
  id text collate "C" primary key,
  pool text not null
);

create table waiver (
  pool text not null,
  id text collate "C" not null,
  version integer not null,
  booking_system text,
  booking_id text,
  booking_guest_id text,
  activities text[] not null,
  last_visit timestamptz not null,
  last_visit_source text not null check (last_visit_source in ('given', 'session', 'created')),
  current_page text,
  answers text not null,
  -- The last day, YYYY-MM-DD in the time zone of the pool, on which it is valid. Null: for its booking, whenever that is.
  valid_until text collate "C",
  -- The waiver that a returning guest confirmed instead of signing again. It is kept as long as this one.
  reuse_of text collate "C",
  deleted boolean not null default false,
  content_hash bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The transaction of the last change, which orders the feed of changes.
  changed_in xid8 not null default pg_current_xact_id(),
  -- With a hold, the record is exempt from retention and erasure.
  hold_reason text,
  held_by text,
  held_at timestamptz,
  -- With an erasure, the record exists only for the job that erases it. Once that is done, the row is a tombstone.
  erasure text collate "C",
  erased_at timestamptz,
  -- The signing that completed it, if it was signed on the check-in page.
  signing text collate "C",
  primary key (pool, id)
);

-- Declared immutable, so that indexes can use them: their results depend on their arguments only. Stored answers are valid
-- JSON; if some are not, that must not keep a change from being stored.
create function normalized_email(answers text) returns text language plpgsql immutable as $$
  begin
    return nullif(lower(btrim(answers::json ->> 'email', E' \\t\\r\\n')), '');
  exception when others then return null;
  end $$;
-- When the retention of a record begins: at the visit or, where a minor comes of age later, on that day. A birthday has
-- begun everywhere on earth at 12:00 UTC. People born on 29 February come of age on 1 March.
create function retention_start(last_visit timestamptz, answers text) returns timestamptz
  language plpgsql immutable as $$
  declare
    given json := answers::json;
    born text := given ->> 'dateOfBirth';
    first_of_month timestamptz;
  begin
    if (given -> 'minor')::text is distinct from 'true' or born is null or born !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
      return last_visit;
    end if;
    first_of_month := make_timestamptz(left(born, 4)::integer + 18, substr(born, 6, 2)::integer, 1, 12, 0, 0, 'UTC');
    -- Hours, because days depend on the session's time zone.
    return greatest(last_visit, first_of_month + (right(born, 2)::integer - 1) * interval '24 hours');
  exception when others then return last_visit;
  end $$;

create index waiver_by_change on waiver (pool, updated_at, id);
create index waiver_by_transaction on waiver (pool, changed_in, id);
create index waiver_by_visit on waiver (last_visit, id) where booking_id is not null and not deleted;
create index waiver_of_booking on waiver (pool, booking_id, updated_at, id) where booking_id is not null;
-- Nearly all waivers are signed, and so not in it.
create index waiver_not_signed on waiver (pool, deleted, updated_at, id) where deleted or current_page is not null;
create index waiver_held on waiver (pool, updated_at, id) where hold_reason is not null;
create index waiver_by_reuse on waiver (pool, reuse_of) where reuse_of is not null;
create index waiver_of_erasure on waiver (erasure, id) where erasure is not null;
create index waiver_by_retention on waiver (pool, retention_start(last_visit, answers))
  where hold_reason is null and erasure is null;
-- Hashed, because an index entry has a maximum size and an address has none.
create index waiver_by_email on waiver (pool, hashtextextended(normalized_email(answers), 0)) where erasure is null;

-- The changes of each version, and their author. No foreign key to the waiver: its check would slow down each change.
create table waiver_version (
  pool text not null,
  waiver_id text collate "C" not null,
  version integer not null,
  former_version integer not null,
  at timestamptz not null,
  actor text,
  actor_name text,
  field_changes text,
  answer_changes text,
  primary key (pool, waiver_id, version)
) with (autovacuum_vacuum_insert_scale_factor = 0.05);
-- A record's previous e-mail addresses, as keyed hashes, by which erasures and exports find it.
create table former_email (
  pool text not null,
  hash bytea not null,
  waiver_id text collate "C" not null,
  primary key (pool, hash, waiver_id)
);
create index former_email_of_waiver on former_email (pool, waiver_id);
create function remove_waiver_versions() returns trigger
  language plpgsql set search_path from current as $$
  begin
    delete from waiver_version v using removed o where v.pool = o.pool and v.waiver_id = o.id;
    delete from former_email f using removed o where f.pool = o.pool and f.waiver_id = o.id;
    return null;
  end $$;
create trigger remove_waiver_versions after delete on waiver
  referencing old table as removed for each statement execute function remove_waiver_versions();

-- One row: the cluster that numbered the transactions in "changed_in". They mean nothing in another cluster, where the
-- order of changes begins a new era.
create table change_clock (
  era text primary key,
  system_identifier text not null
);
insert into change_clock (era, system_identifier) values (gen_random_uuid()::text, '');
`;

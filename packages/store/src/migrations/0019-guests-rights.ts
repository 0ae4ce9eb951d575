import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  sql`alter table pool add column retention_waivers_days integer check (retention_waivers_days between 1 and 36500)`,

  // A record with a hold is kept. One with an erasure is gone for everyone but the job that erases it; once its data is
  // erased (`erased_at`), the row is the tombstone.
  sql`alter table waiver
    add column hold_reason text,
    add column held_by text,
    add column held_at timestamptz,
    add column erasure text collate "C",
    add column erased_at timestamptz`,

  // The e-mail address is kept as a hash, and until the erasure has ended only: a repeated request finds it by that.
  sql`create table erasure (
    id text collate "C" primary key,
    pool text not null references pool (id) on delete cascade,
    state text not null default 'telling' check (state in ('telling', 'done')),
    email_hash bytea,
    waivers integer not null,
    held_waivers text[] not null default '{}',
    asked_by text not null,
    asked_at timestamptz not null default date_trunc('milliseconds', now()),
    give_up_at timestamptz not null,
    due_at timestamptz not null default now(),
    done_at timestamptz
  )`,
  sql`create index erasure_of_pool on erasure (pool, id)`,
  sql`create index erasure_due_at on erasure (due_at) where state = 'telling'`,

  // Declared immutable, so that indexes can use them: the result depends on the arguments alone. Stored answers are valid
  // JSON; should some not be, that must not keep a change from being stored.
  sql`create function normalized_email(answers text) returns text language plpgsql immutable as $$
    begin
      return nullif(lower(btrim(answers::json ->> 'email', E' \\t\\r\\n')), '');
    exception when others then return null;
    end $$`,

  // When the retention of a record begins: at the visit, or where a minor comes of age later, on that day. A birthday has
  // begun everywhere on earth at 12:00 UTC. Who was born on 29 February comes of age on 1 March.
  sql`create function retention_start(last_visit timestamptz, answers text) returns timestamptz
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
    end $$`,
];

/** Retention of waivers, holds, erasures with their tombstones. */
export const guestsRights: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Of an installation, or of all of a booking system's together. The lists have one element for each window, and for
  // each moment (milliseconds since 1970) at which requests come back to a window.
  sql`create table request_budget (
    id text collate "C" primary key,
    requests integer[] not null,
    window_ms double precision[] not null,
    back_ms double precision[] not null default '{}',
    back_window_ms double precision[] not null default '{}',
    taken integer[] not null default '{}',
    urgent_until_ms double precision not null default 0
  ) with (fillfactor = 50)`,
  sql`alter table destination add column request_budget text collate "C"`,
  sql`insert into request_budget (id, requests, window_ms, back_ms, back_window_ms, taken)
    select l.destination, array[l.requests], array[l.window_ms],
      array(select extract(epoch from b.at)::double precision * 1000
        from unnest(l.back_at) with ordinality b (at, place) order by b.place),
      array_fill(l.window_ms, array[cardinality(l.back_at)]), l.taken
    from request_limit l`,
  sql`update destination d set request_budget = l.destination from request_limit l where l.destination = d.id`,
  sql`drop table request_limit`,
];

/** Limits of several windows at once, which installations may share. */
export const requestBudgets: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await statement.execute(database);
  },
};

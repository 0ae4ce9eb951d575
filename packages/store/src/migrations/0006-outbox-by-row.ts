import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  // Each destination belongs to one of 64 shards for good, at random, and each shard to one dispatcher at a time.
  sql`alter table destination add column shard smallint not null default floor(random() * 64)`,
  sql`create table dispatcher (
    id uuid primary key,
    lease_until timestamptz not null,
    claim_epoch integer not null default 0
  ) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0)`,
  sql`create table shard (
    id smallint primary key,
    owner uuid,
    draining boolean not null default false
  ) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_cost_delay = 0)`,
  sql`insert into shard (id) select generate_series(0, 63)`,

  // The ids that each claim took. A row of 250 ids fits a page: it is neither compressed nor stored apart.
  sql`create table journal (
    batch bigint generated always as identity primary key,
    dispatcher uuid not null,
    at timestamptz not null default now(),
    ids uuid[] not null
  ) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200,
    autovacuum_vacuum_cost_delay = 0)`,
  sql`alter table journal alter column ids set storage main`,

  sql`create sequence outbox_sequence`,
  // Rows are inserted, and deleted when they have ended: nearly none is updated.
  sql`create table pending (
    destination text collate "C" not null,
    id uuid not null,
    pool text not null,
    ordering_key text collate "C" not null,
    lane integer not null generated always as (hashtext(destination || ' ' || ordering_key)) stored,
    sequence bigint not null,
    waiver_id text collate "C" not null,
    booking_id text,
    takeback boolean not null,
    due_at timestamptz not null,
    retrying boolean not null default false,
    manual boolean not null default false,
    in_doubt boolean not null default false,
    attempts integer not null default 0,
    lost_leases integer not null default 0,
    faults integer not null default 0,
    primary key (destination, id, pool)
  ) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)`,
  sql`create table ended (
    id uuid not null,
    pool text not null,
    state text not null check (state in ('dead', 'superseded', 'cancelled')),
    reason text,
    attempts integer not null default 0,
    sequence bigint,
    primary key (id, pool)
  )`,

  sql`insert into ended (id, pool, state, reason, attempts)
    select id, pool, state, reason, attempts from delivery where state in ('dead', 'superseded', 'cancelled')`,
  // Whatever was being sent is in doubt: the process that sent it knows nothing of the new tables.
  sql`insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at, retrying,
      manual, in_doubt, attempts, lost_leases, faults)
    select w.destination, w.id, w.pool, w.ordering_key, nextval('outbox_sequence'), w.waiver_id, w.booking_id, w.takeback,
      case when w.is_first and w.lane_state = 'ready' then w.due_at else now() end,
      w.is_first and (w.retrying or w.is_sent), w.is_first and w.manual, w.in_doubt or w.is_sent, w.attempts,
      case when w.is_first then w.lost_leases + w.is_sent::integer else 0 end,
      case when w.is_first then w.faults else 0 end
    from (
      select d.*, l.state as lane_state, l.due_at, l.retrying, l.manual, l.lost_leases, l.faults,
        l.state = 'leased' and l.current = d.id as is_sent,
        row_number() over (partition by d.destination, d.ordering_key, d.pool order by d.sequence) = 1 as is_first
      from delivery d
      join lane l on l.destination = d.destination and l.ordering_key = d.ordering_key and l.pool = d.pool
      where d.state = 'waiting'
      order by d.destination, d.ordering_key, d.sequence) w`,
  sql`drop table lane`,
  // With the columns go the indexes on them. What is left of a delivery does not change any more.
  sql`alter table delivery drop column state, drop column attempts, drop column in_doubt, drop column reason,
    drop column sequence`,

  sql`create index pending_lane on pending (destination, ordering_key, sequence)`,
  sql`create index pending_due on pending (destination, retrying, due_at, sequence)`,
  sql`create index ended_by_state on ended (state, id)`,
];

/** A row for each message that waits, none for a lane; claims that write one row for a whole batch. */
export const outboxByRow: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(database);
  },
};

import { sql } from 'kysely';
import type { SchemaMigration } from './schema-migration.ts';

/** SQLSTATE of a change of a pool that is being moved to another cell. */
const moving = sql.lit('WS001');

/** A trigger on a table of one pool's rows. Columns that note a use are not among its columns. */
const refuseChanges = (table: string, columns?: string) => sql`
create trigger refuse_while_moving before insert or delete or update ${sql.raw(columns === undefined ? '' : `of ${columns}`)}
  on ${sql.table(table)} for each row execute function refuse_while_moving('leaving')`;

const statements = [
  // A pool on its way from this cell to another, or one that has just come. `docs/decisions.md` has the states.
  sql`create table pool_move (
    pool text primary key,
    id uuid not null,
    state text not null check (state in ('leaving', 'copying', 'left', 'arrived')),
    cell text not null,
    began_at timestamptz not null default date_trunc('milliseconds', now())
  )`,

  // Triggers, so that nothing of such a pool is changed by whatever code or version. The table is nearly always empty.
  sql`create function refuse_while_moving() returns trigger language plpgsql as $$
    declare
      of_pool text;
    begin
      if exists (select from pool_move where state <> 'arrived')
        and current_setting('waiver_service.moves_pool', true) is distinct from 'on' then
        of_pool := case tg_table_name
          when 'pool' then coalesce(to_jsonb(new), to_jsonb(old)) ->> 'id'
          when 'booking_system_session' then
            (select d.pool from destination d where d.id = coalesce(to_jsonb(new), to_jsonb(old)) ->> 'destination')
          when 'webhook_secret' then
            (select w.pool from webhook w where w.id = coalesce(to_jsonb(new), to_jsonb(old)) ->> 'webhook_id')
          else coalesce(to_jsonb(new), to_jsonb(old)) ->> 'pool' end;
        if exists (
          select from pool_move m where m.pool = of_pool
            and (m.state in ('copying', 'left') or m.state = 'leaving' and tg_argv[0] = 'leaving')) then
          raise exception 'the pool % is being moved to another cell', of_pool using errcode = ${moving};
        end if;
      end if;
      if tg_op = 'DELETE' then return old; end if;
      return new;
    end $$`,
  sql`create function refuse_waivers_while_moving() returns trigger language plpgsql as $$
    declare
      of_pool text;
    begin
      if exists (select from pool_move where state <> 'arrived')
        and current_setting('waiver_service.moves_pool', true) is distinct from 'on' then
        select c.pool into of_pool from changed c join pool_move m on m.pool = c.pool and m.state <> 'arrived' limit 1;
        if found then
          raise exception 'the pool % is being moved to another cell', of_pool using errcode = ${moving};
        end if;
      end if;
      return null;
    end $$`,
  sql`create function refuse_claims_while_moving() returns trigger language plpgsql as $$
    begin
      if exists (select from pool_move where state <> 'arrived') and exists (
        select from unnest(new.ids) u (id) join delivery d on d.id = u.id
        join pool_move m on m.pool = d.pool and m.state <> 'arrived') then
        raise exception 'a pool is being moved to another cell' using errcode = ${moving};
      end if;
      return new;
    end $$`,

  sql`create trigger refuse_new_while_moving after insert on waiver
    referencing new table as changed for each statement execute function refuse_waivers_while_moving()`,
  sql`create trigger refuse_changes_while_moving after update on waiver
    referencing new table as changed for each statement execute function refuse_waivers_while_moving()`,
  sql`create trigger refuse_removals_while_moving after delete on waiver
    referencing old table as changed for each statement execute function refuse_waivers_while_moving()`,
  sql`create trigger refuse_claims_while_moving before insert on journal
    for each row execute function refuse_claims_while_moving()`,

  ...['pool', 'installation', 'webhook', 'webhook_secret', 'erasure', 'unmatched_waiver'].map((table) =>
    refuseChanges(table),
  ),
  ...['booking_alias', 'booking_changes', 'vendor_webhook'].map((table) => refuseChanges(table)),
  refuseChanges('access_token', 'pool, hash, name, scopes, expires_at'),
  refuseChanges('pool_key', 'pool, hash, expires_at, of_webhook'),
  // A booking system's notices are refused, so that it sends them again; those that are due already stay due.
  ...['inbound_message', 'booking_refresh'].map(
    (table) => sql`create trigger refuse_while_moving before insert on ${sql.table(table)}
      for each row execute function refuse_while_moving('leaving')`,
  ),
  // While the pool is leaving, results of what is being sent are recorded, and renewals that were begun.
  sql`create trigger refuse_while_moving before update on destination for each row
    when (old.status is distinct from new.status or old.permission_version is distinct from new.permission_version
      or old.write_unit is distinct from new.write_unit or old.next_write_unit is distinct from new.next_write_unit)
    execute function refuse_while_moving('copying')`,
  sql`create trigger refuse_new_while_moving before insert on booking_system_session for each row
    execute function refuse_while_moving('leaving')`,
  sql`create trigger refuse_renewals_while_moving before update on booking_system_session for each row
    when (new.renewing_by is not null) execute function refuse_while_moving('leaving')`,
  sql`create trigger refuse_while_moving before update on booking_system_session for each row
    execute function refuse_while_moving('copying')`,
];

/** Pools on their way to another cell, of which nothing is changed. */
export const poolMoves: SchemaMigration = {
  async up(database) {
    for (const statement of statements) await statement.execute(database);
  },
};

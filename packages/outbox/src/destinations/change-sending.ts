import type { RequestLimits } from '@waiver-service/core';
import type { BackgroundJob } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../data/tables.ts';

/** What a plugin's manifest says of sending. */
export interface SendingChange {
  readonly writeUnit: 'waiver' | 'booking';
  readonly windows: RequestLimits['windows'] | undefined;
}

/**
 * Parts of a `with` that set the write unit and the request limits of the destinations in its part
 * `other (destination_id, budget)`. The new unit is used once nothing waits (see `createWriteUnitJob`).
 */
export function changingSending({ writeUnit, windows }: SendingChange): RawBuilder<unknown> {
  const requests = windows?.map((window) => window.requests) ?? null;
  const windowMs = windows?.map((window) => window.windowMs) ?? null;
  return sql`
destinations as (
  update destination d set next_write_unit = nullif(${writeUnit}, d.write_unit),
    request_budget = case when ${requests}::integer[] is not null then o.budget end
  from other o where d.id = o.destination_id and (coalesce(d.next_write_unit, d.write_unit) <> ${writeUnit}
    or d.request_budget is distinct from case when ${requests}::integer[] is not null then o.budget end)),
lifted as (
  delete from request_budget r using other o where r.id = o.destination_id
    and (${requests}::integer[] is null or o.budget <> o.destination_id)),
limited as (
  insert into request_budget (id, requests, window_ms)
  select distinct budget, ${requests}::integer[], ${windowMs}::double precision[] from other
  where ${requests}::integer[] is not null order by budget
  on conflict (id) do update set requests = excluded.requests, window_ms = excluded.window_ms)`;
}

async function isAnythingWaiting(database: Database, destination: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
select exists (select from pending where destination = ${destination}) as waits`.execute(database);
  return rows[0]?.waits ?? true;
}

// While the destination is locked, nothing is enqueued or reopened: if nothing waits now, nothing will before the
// commit.
async function switchWriteUnit(transaction: DatabaseTransaction, destination: string): Promise<boolean> {
  const { rows } = await sql`
select 1 from destination where id = ${destination} and next_write_unit is not null for update skip locked`.execute(
    transaction,
  );
  if (rows.length === 0 || (await isAnythingWaiting(transaction, destination))) return false;
  await sql`
update destination set write_unit = next_write_unit, next_write_unit = null where id = ${destination}`.execute(
    transaction,
  );
  return true;
}

/**
 * The job that applies a plugin's new `writeUnit` to its destinations, once nothing waits there: then no message in a
 * lane of the new order can overtake one in a lane of the previous order.
 */
export function createWriteUnitJob(database: Database): BackgroundJob {
  let before = '';
  return {
    name: 'changing the order of messages',
    async runBatch() {
      const { rows } = await sql<{ id: string }>`
select id from destination where next_write_unit is not null order by id <= ${before}, id limit 1`.execute(
        database,
      );
      const [next] = rows;
      if (next === undefined) return false;
      before = next.id;
      if (await isAnythingWaiting(database, next.id)) return false;
      return database.transaction().execute((transaction) => switchWriteUnit(transaction, next.id));
    },
  };
}

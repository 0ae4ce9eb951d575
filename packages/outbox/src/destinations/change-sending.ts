import type { RequestLimits } from '@waiver-service/core';
import { type RawBuilder, sql } from 'kysely';

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

import { prepared, rowsOf } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../data/tables.ts';

/** A hold that a destination asked for with `Retry-After`. */
export interface DestinationHold {
  readonly destination: string;
  /** Milliseconds from now. */
  readonly holdMs: number;
}

/** Whether nothing may be sent to a destination `t` now: it asked for a hold, or its authorization is lost. */
export const isHeld: RawBuilder<boolean> = sql`
  coalesce(greatest(t.held_until, t.unauthorized_until) > now(), false)`;

/**
 * Holds destinations. A longer existing hold stays; an operator's resume ends any.
 *
 * @returns their pools
 */
export async function holdDestinations(database: Database, holds: readonly DestinationHold[]): Promise<void> {
  const parameters = holds.map(({ destination, holdMs }) => ({ id: destination, holdMs }));
  await sql`${prepared}
with asked as (
  select id, max(hold_ms) as hold_ms
  from ${rowsOf(parameters, 'h', { id: 'text', holdMs: 'double precision' })}
  group by id),
found as materialized (
  select t.id, a.hold_ms from destination t join asked a on a.id = t.id
  where t.status <> 'closed' order by t.id for no key update of t)
update destination t set held_until = greatest(t.held_until,
  date_trunc('milliseconds', now() + f.hold_ms * interval '1 millisecond'))
from found f where t.id = f.id`.execute(database);
}

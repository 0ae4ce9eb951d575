import type { Recovery } from '@waiver-service/api';
import { idAfter } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import { inPools } from '../pools/in-pools.ts';

/** The progress of a recovery, and the pools that it is limited to. */
export interface LimitedRecovery extends Recovery {
  readonly pools: readonly string[] | null;
}

/** The columns that the batches of a recovery need. */
export interface RunningRecovery {
  readonly id: string;
  /** Null: all. */
  readonly pools: string[] | null;
  readonly destination: string | null;
  readonly deliveryState: 'dead' | 'delivered' | 'superseded';
  readonly since: Date;
  readonly until: Date;
  /** Deliveries up to this id were processed. */
  readonly reopenedTo: string;
  /** Those up to this id are counted in `total`; null where all are. */
  readonly countedTo: string | null;
}

/** Whether a delivery ended in the recovery's state. */
function isOfState(
  delivery: RawBuilder<unknown>,
  { deliveryState }: Pick<RunningRecovery, 'deliveryState'>,
): RawBuilder<boolean> {
  const ended = sql`select from ended e where e.id = ${delivery}.id and e.pool = ${delivery}.pool`;
  if (deliveryState !== 'delivered') return sql`exists (${ended} and e.state = ${deliveryState})`;
  return sql`not exists (${ended}) and not exists (
    select from pending p
    where p.destination = ${delivery}.destination and p.id = ${delivery}.id and p.pool = ${delivery}.pool)`;
}

/**
 * The next deliveries of a recovery, in the order of their ids: CTEs `scanned` and `matching (id)`, up to the limits. Of
 * several matching versions of a waiver for one destination and booking, only the newest is included: it is sent, once.
 */
export function recoveryPage(
  recovery: RunningRecovery,
  after: string,
  limits: { readonly scanned: number; readonly matching: number },
): RawBuilder<unknown> {
  const { pools, destination, deliveryState, since, until } = recovery;
  const columns = sql`d.pool, d.id, d.destination, d.waiver_id, d.booking_id, d.version, d.created_at`;
  // Nearly all are delivered, so reading all costs no more than excluding the others.
  const scanned =
    deliveryState === 'delivered'
      ? sql`
  select ${columns} from delivery d where d.id > ${after}::uuid and d.id <= ${idAfter(until)}::uuid
  order by d.id limit ${limits.scanned}::integer`
      : sql`
  select ${columns} from ended e join delivery d on d.id = e.id and d.pool = e.pool
  where e.state = ${deliveryState} and e.id > ${after}::uuid and e.id <= ${idAfter(until)}::uuid
  order by e.id limit ${limits.scanned}::integer`;
  return sql`
scanned as materialized (${scanned}),
matching as materialized (
  select d.id from scanned d
  where ${isOfState(sql`d`, recovery)} and d.created_at >= ${since} and d.created_at < ${until}
    and ${inPools(sql`d.pool`, pools)}
    and ${destination === null ? sql`d.pool <> ''` : sql`d.destination = ${destination}`}
    and not exists (
      select from delivery n
      where n.pool = d.pool and n.waiver_id = d.waiver_id and n.version > d.version and n.destination = d.destination
        and n.booking_id is not distinct from d.booking_id
        and ${isOfState(sql`n`, recovery)} and n.created_at >= ${since} and n.created_at < ${until})
  order by d.id limit ${limits.matching}::integer)`;
}

import type { BackgroundJob } from '@waiver-service/database';
import { beforeFirstId, idAfter, periodicJob, retryDeadlock } from '@waiver-service/database';
import { hasEnded, pendingAndEnded, removeDeliveries } from '@waiver-service/outbox';
import { sql } from 'kysely';
import type { StoreContext } from '../store-context.ts';

/** How long ended deliveries are kept, and how often the job runs. */
export interface DeliveryRetention {
  /** Delivered, superseded and cancelled ones. */
  readonly deliveryRetentionMs: number;
  readonly deadRetentionMs: number;
  /** From the end of a round to the next one. */
  readonly intervalMs: number;
}

// Small, so that transactions are short.
const maxScanned = 200;

const before = (ageMs: number) => sql`now() - ${ageMs}::double precision * interval '1 millisecond'`;

/**
 * The job that removes old ended deliveries with their attempts: in rounds over all that are old enough, in the order of
 * their ids, in small batches. Several hosts may run it at once; each skips rows that another has locked.
 *
 * Age counts from creation, but a delivery attempted since the cutoff is kept, as the attempt is. Also kept: deliveries
 * of a record with a hold, a newer version of a dead letter, and what a feature needs.
 */
export function createPruneDeliveriesJob(
  { database, features }: Pick<StoreContext, 'database' | 'features'>,
  { deliveryRetentionMs, deadRetentionMs, intervalMs }: DeliveryRetention,
  onPruned: (pruned: number) => void,
): BackgroundJob {
  let after = beforeFirstId;

  async function scan(): Promise<readonly string[]> {
    const until = idAfter(new Date(Date.now() - deliveryRetentionMs));
    const untilDead = idAfter(new Date(Date.now() - deadRetentionMs));
    // Dead letters separately: nearly all deliveries may be too young to be removed unless they are dead letters.
    const { rows } = await sql<{ id: string }>`
(select d.id from delivery d where d.id > ${after}::uuid and d.id <= ${until}::uuid
  order by d.id limit ${maxScanned}::integer)
union all
(select e.id from ended e
  where e.state = 'dead' and e.id > greatest(${after}::uuid, ${until}::uuid) and e.id <= ${untilDead}::uuid
  order by e.id limit ${maxScanned}::integer)
order by id limit ${maxScanned}::integer`.execute(database);
    return rows.map(({ id }) => id);
  }

  const isOld = sql`case when e.state = 'dead'
    then d.created_at < ${before(deadRetentionMs)} and not exists (
      select from attempt a where a.delivery = d.id and a.at >= ${before(deadRetentionMs)})
    else d.created_at < ${before(deliveryRetentionMs)} and not exists (
      select from attempt a where a.delivery = d.id and a.at >= ${before(deliveryRetentionMs)}) end`;
  // If an operator retries a dead letter, the newest version is sent instead, so it has to be kept.
  const hasOlderDead = sql`exists (
    select from delivery o join ended f on f.id = o.id and f.pool = o.pool and f.state = 'dead'
    where o.pool = d.pool and o.waiver_id = d.waiver_id and o.version < d.version and o.destination = d.destination
      and o.booking_id is not distinct from d.booking_id)`;
  const isHeld = sql`exists (
    select from waiver w where w.pool = d.pool and w.id = d.waiver_id and w.hold_reason is not null)`;

  const isNeeded = sql.join(
    [sql`false`, ...features.flatMap(({ needsDelivery = [] }) => needsDelivery)],
    sql` or `,
  );

  const isRemovable = sql<boolean>`${isOld} and not ${isHeld} and not ${hasOlderDead} and not (${isNeeded})`;

  return periodicJob({
    name: 'pruning deliveries',
    intervalMs,
    async runBatch() {
      const scanned = await scan();
      // Locks only removable rows: a lock writes to the row.
      const candidates = sql`
select d.id, d.pool from unnest(${[...scanned]}::uuid[]) k (id) join delivery d on d.id = k.id ${pendingAndEnded}
where ${hasEnded} and ${isRemovable}`;
      if (scanned.length > 0) {
        onPruned(
          await retryDeadlock(() =>
            database
              .transaction()
              .execute((transaction) => removeDeliveries(transaction, candidates, isRemovable)),
          ),
        );
      }
      const isEnd = scanned.length < maxScanned;
      after = isEnd ? beforeFirstId : (scanned.at(-1) ?? beforeFirstId);
      return !isEnd;
    },
  });
}

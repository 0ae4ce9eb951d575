import type { RecoverRequest } from '@waiver-service/api';
import type { BackgroundJob } from '@waiver-service/database';
import { idBefore, isUuid, retryDeadlock } from '@waiver-service/database';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import type { LimitedRecovery, RunningRecovery } from './recovery.ts';
import { countBatch, firstBatch, reopenBatch } from './recovery-batch.ts';

/** The maximum number of running recoveries that cover all pools. */
export const maxRunningRecoveries = 20;
/** The maximum number of running recoveries per pool, counting only those limited to some pools. */
export const maxRunningRecoveriesPerPool = 4;
// Finished recoveries are kept for operators to read.
const maxKept = 1_000;

/** The result of a request for a recovery. */
export type RecoverOutcome =
  | {
      readonly recoveryId: string;
      /** The number of deliveries that the first batch reopened; the rest follows in the background. */
      readonly recovered: number;
    }
  | { readonly outcome: 'too-many' };

async function insertRecovery(
  transaction: DatabaseTransaction,
  { pools, destination, state = 'dead', since, until }: RecoverRequest,
): Promise<RunningRecovery | undefined> {
  const start = idBefore(since);
  const { rows } = await sql<RunningRecovery>`
insert into recovery (id, pools, destination, delivery_state, since, until, reopened_to, counted_to)
select ${uuidv7()}, ${pools?.slice() ?? null}::text[], ${destination ?? null}, ${state}, ${since}::timestamptz,
  coalesce(${until ?? null}::timestamptz, now()),
  ${start}::uuid, ${start}::uuid
where case when ${pools === undefined}::boolean
  then (select count(*) from recovery where state = 'running' and pools is null) < ${maxRunningRecoveries}::integer
  else not exists (
    select from unnest(${pools?.slice() ?? []}::text[]) p (pool) where (
      select count(*) from recovery r where r.state = 'running' and p.pool = any (r.pools))
      >= ${maxRunningRecoveriesPerPool}::integer) end
returning id, pools, destination, delivery_state, since, until, reopened_to, counted_to`.execute(transaction);
  return rows[0];
}

async function forgetOldest(transaction: DatabaseTransaction): Promise<void> {
  await sql`
delete from recovery where state = 'done'
  and id <= (select id from recovery where state = 'done' order by id desc offset ${maxKept}::integer limit 1)`.execute(
    transaction,
  );
}

/** Starts a recovery and runs its first batch. */
export function beginRecovery(database: Database, request: RecoverRequest): Promise<RecoverOutcome> {
  return retryDeadlock(() =>
    database.transaction().execute(async (transaction) => {
      const recovery = await insertRecovery(transaction, request);
      if (recovery === undefined) return { outcome: 'too-many' };
      await forgetOldest(transaction);
      return { recoveryId: recovery.id, recovered: await firstBatch(transaction, recovery) };
    }),
  );
}

/** The progress of a recovery; undefined if there is none with this id. */
export async function getRecovery(database: Database, id: string): Promise<LimitedRecovery | undefined> {
  if (!isUuid(id)) return undefined;
  const rows = await database
    .selectFrom('recovery')
    .select(['id', 'pools', 'state', 'recovered', 'total', 'createdAt'])
    .where('id', '=', id)
    .execute();
  return rows[0];
}

async function nextRunning(database: Database, after: string) {
  const { rows } = await sql<{ id: string; isCounted: boolean }>`
select id, counted_to is null as is_counted from recovery where state = 'running'
order by id <= ${after}, id limit 1`.execute(database);
  return rows[0];
}

/**
 * The job that continues recoveries, a batch of each in turn.
 *
 * @param onEnqueued called after the commit of messages to send.
 */
export function createRecoveryJob(database: Database, onEnqueued: () => void): BackgroundJob {
  let before = '';
  return {
    name: 'sending deliveries again',
    async runBatch() {
      const next = await nextRunning(database, before);
      if (next === undefined) return false;
      before = next.id;
      if (!next.isCounted) return countBatch(database, next.id);
      const recovered = await reopenBatch(database, next.id);
      if (recovered !== undefined && recovered > 0) onEnqueued();
      return recovered !== undefined;
    },
  };
}

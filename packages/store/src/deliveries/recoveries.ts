import type { RecoverRequest, Recovery } from '@waiver-service/api';
import { type BackgroundJob, idAfter, idBefore, isUuid, retryDeadlock } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { inPools } from '../pools/pools.ts';
import { reopenIn } from './reopen-deliveries.ts';

/** The progress of a recovery, and the pools that it is limited to. */
export interface LimitedRecovery extends Recovery {
  readonly pools: readonly string[] | null;
}

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

/** The columns that the batches of a recovery need. */
interface RunningRecovery {
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
function recoveryPage(
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

// Small, so that transactions are short and no change of a waiver waits for them.
const maxReopened = 200;
const maxScanned = 5_000;

/** The recovery, locked until the transaction ends; undefined if it is finished or another host works on it. */
async function lockRunning(
  transaction: DatabaseTransaction,
  id: string,
): Promise<RunningRecovery | undefined> {
  return transaction
    .selectFrom('recovery')
    .select(['id', 'pools', 'destination', 'deliveryState', 'since', 'until', 'reopenedTo', 'countedTo'])
    .where('id', '=', id)
    .where(sql<boolean>`state = 'running' for update skip locked`)
    .executeTakeFirst();
}

interface Page {
  readonly recovered: number;
  readonly found: number;
  readonly reopenedTo: string;
  readonly isLast: boolean;
}

async function reopenPage(transaction: DatabaseTransaction, recovery: RunningRecovery): Promise<Page> {
  const limits = { scanned: maxScanned, matching: maxReopened };
  const { rows } = await sql<{ ids: string[]; scanned: number; last: string | null }>`
with ${recoveryPage(recovery, recovery.reopenedTo, limits)}
select (select coalesce(array_agg(id order by id), '{}') from matching) as ids,
  (select count(*) from scanned) as scanned, (select id from scanned order by id desc limit 1) as last`.execute(
    transaction,
  );
  const { ids, scanned, last } = rows[0] ?? { ids: [], scanned: 0, last: null };
  const reopened = ids.length === 0 ? [] : await reopenIn(transaction, ids);
  const isFull = ids.length === maxReopened;
  return {
    recovered: new Set(reopened.filter((each) => each.reopened).map((each) => each.deliveryId)).size,
    found: ids.length,
    reopenedTo: (isFull ? ids.at(-1) : last) ?? recovery.reopenedTo,
    isLast: !isFull && scanned < maxScanned,
  };
}

/**
 * Reopens the first deliveries of a recovery, and stores its progress.
 *
 * @returns the number of reopened deliveries
 */
async function firstBatch(transaction: DatabaseTransaction, recovery: RunningRecovery): Promise<number> {
  const { recovered, found, reopenedTo, isLast } = await reopenPage(transaction, recovery);
  await transaction
    .updateTable('recovery')
    .set({
      reopenedTo,
      countedTo: isLast ? null : reopenedTo,
      recovered,
      total: found,
      state: isLast ? 'done' : 'running',
    })
    .where('id', '=', recovery.id)
    .execute();
  return recovered;
}

/**
 * Reopens the next deliveries of a recovery. The progress is stored in the same transaction: after a crash, none is
 * reopened twice and none is skipped.
 *
 * @returns the number of reopened deliveries; undefined if the recovery is finished or another host works on it.
 */
export function reopenBatch(database: Database, id: string): Promise<number | undefined> {
  return retryDeadlock(() =>
    database.transaction().execute(async (transaction) => {
      const recovery = await lockRunning(transaction, id);
      if (recovery === undefined) return undefined;
      const { recovered, reopenedTo, isLast } = await reopenPage(transaction, recovery);
      await transaction
        .updateTable('recovery')
        .set({
          reopenedTo,
          recovered: sql<number>`recovered + ${recovered}::integer`,
          state: isLast ? 'done' : 'running',
        })
        .where('id', '=', id)
        .execute();
      return recovered;
    }),
  );
}

/** Counts the next deliveries of a recovery. False if another host works on it. */
function countBatch(database: Database, id: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const recovery = await lockRunning(transaction, id);
    if (recovery === undefined || recovery.countedTo === null) return false;
    const page = recoveryPage(recovery, recovery.countedTo, { scanned: maxScanned, matching: maxScanned });
    await sql`
with ${page}
update recovery set total = total + (select count(*) from matching),
  counted_to = case when (select count(*) from scanned) = ${maxScanned}::integer
    then (select id from scanned order by id desc limit 1) end
where id = ${id}`.execute(transaction);
    return true;
  });
}

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

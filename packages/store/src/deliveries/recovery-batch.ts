import { retryDeadlock } from '@waiver-service/database';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/tables.ts';
import { type RunningRecovery, recoveryPage } from './recovery.ts';
import { reopenIn } from './reopen-deliveries.ts';

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

interface PageFound {
  readonly ids: string[];
  readonly scanned: number;
  readonly last: string | null;
}

async function findPage(transaction: DatabaseTransaction, recovery: RunningRecovery): Promise<PageFound> {
  const limits = { scanned: maxScanned, matching: maxReopened };
  const { rows } = await sql<PageFound>`
with ${recoveryPage(recovery, recovery.reopenedTo, limits)}
select (select coalesce(array_agg(id order by id), '{}') from matching) as ids,
  (select count(*) from scanned) as scanned, (select id from scanned order by id desc limit 1) as last`.execute(
    transaction,
  );
  return rows[0] ?? { ids: [], scanned: 0, last: null };
}

interface Page {
  readonly recovered: number;
  readonly found: number;
  readonly reopenedTo: string;
  readonly isLast: boolean;
}

async function reopenPage(transaction: DatabaseTransaction, recovery: RunningRecovery): Promise<Page> {
  const { ids, scanned, last } = await findPage(transaction, recovery);
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
export async function firstBatch(
  transaction: DatabaseTransaction,
  recovery: RunningRecovery,
): Promise<number> {
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
export function countBatch(database: Database, id: string): Promise<boolean> {
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

import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { onSingleConnection, type SingleConnection } from '../backups/single-connection.ts';
import type { Database } from '../database/database.ts';
import { MoveProblem } from './move-problem.ts';
import type { PoolMove } from './move-state.ts';

const lockWaitMs = 10_000;

const lockOf = (pool: string) => sql`hashtextextended('waiver-service pool move ' || ${pool}::text, 0)`;

/** An error in words, for a sentence that goes on. */
export const reasonOf = (error: unknown): string => {
  // One error for each address of a name.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};

/** Lets one command at a time work on a pool. The connection of one that was killed may live on for a moment. */
export async function lockMove(source: Database, pool: string): Promise<void> {
  for (const deadline = performance.now() + lockWaitMs; ; await delay(200)) {
    const { rows } = await sql<{
      mine: boolean;
    }>`select pg_try_advisory_lock(${lockOf(pool)}) as mine`.execute(source);
    if (rows[0]?.mine === true) return;
    if (performance.now() > deadline) throw new MoveProblem(`another command is moving the pool "${pool}"`);
  }
}

/** Lets one transaction at a time of the other cell's database decide whether a pool arrives. */
export async function lockArrival(transaction: Database, pool: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockOf(pool)})`.execute(transaction);
}

/** Works on the other cell's database. @throws MoveProblem if it cannot be reached */
export async function onTarget<Result>(
  targetUrl: string,
  work: (target: SingleConnection) => Promise<Result>,
): Promise<Result> {
  let isReached = false;
  try {
    return await onSingleConnection(targetUrl, async (target) => {
      isReached = true;
      // Where this command is killed, the server ends what it was at within a second. Not every system can.
      await target.client.query("set client_connection_check_interval = '1s'").catch(() => {});
      return work(target);
    });
  } catch (error) {
    if (isReached) throw error;
    throw new MoveProblem(
      `the other cell's database (TARGET_DATABASE_URL) cannot be reached: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}

/** Waits for a transaction by which the pool may be arriving. @returns whether it has arrived */
export async function hasArrived(target: Database, pool: string, { id }: PoolMove): Promise<boolean> {
  return target.transaction().execute(async (transaction) => {
    await lockArrival(transaction, pool);
    const { rows } = await sql`
select from pool_move where pool = ${pool} and id = ${id}::uuid and state = 'arrived'`.execute(transaction);
    return rows.length > 0;
  });
}

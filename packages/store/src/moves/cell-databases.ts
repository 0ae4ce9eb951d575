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

/**
 * A cell must not forget a step that the other one relies on: both would send for the pool, or neither. With `off` a crash
 * forgets it, with `local` a failover to a synchronous standby; where there is none, `local` is the same as `on`. An
 * operator's choice of what a standby confirms (`remote_write`, `remote_apply`) stays.
 */
const commitDurably = `
select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local')`;

/** Works on the database of the cell that the pool leaves. */
export function onSource<Result>(
  databaseUrl: string,
  work: (source: SingleConnection) => Promise<Result>,
): Promise<Result> {
  return onSingleConnection(databaseUrl, async (source) => {
    await source.client.query(commitDurably);
    return work(source);
  });
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
      await target.client.query(commitDurably);
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

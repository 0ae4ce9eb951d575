import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { BackupProblem } from '../backups/backup-problem.ts';
import { onSingleConnection, type SingleConnection } from '../backups/single-connection.ts';
import type { Database } from '../database/database.ts';
import { requireMatchingKeys } from '../encryption/check-encryption-keys.ts';
import { createEncryption, type EncryptionKey } from '../encryption/encryption.ts';
import { requireNewestMigration } from '../migrations/migrate.ts';
import { holdOffMigrations } from '../migrations/run-migrations.ts';
import { hasArrived, lockArrival, lockMove, onSource, onTarget, reasonOf } from './cell-databases.ts';
import {
  checkMove,
  encryptForTarget,
  requireCell,
  requireTwoDatabases,
  requireUsableTarget,
} from './check-move.ts';
import { type CopyProgress, copyPool } from './copy-pool.ts';
import { MoveProblem } from './move-problem.ts';
import {
  beginMove,
  endMove,
  freeze,
  type PoolMove,
  readMove,
  recordArrival,
  requireCopying,
  switchOver,
  undoMove,
} from './move-state.ts';
import { waitForSends, waitForTransactions } from './quiesce.ts';
import { removePool } from './remove-pool.ts';

/** How far a move is. */
export type MoveProgress =
  | { readonly step: 'checking' | 'leaving' | 'arrived' }
  | { readonly step: 'sending'; readonly underWay: number }
  | CopyProgress
  | { readonly step: 'removing'; readonly waivers: number };

export interface MovePoolOptions {
  readonly databaseUrl: string;
  readonly targetUrl: string;
  /** Those of both cells. */
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly pool: string;
  /** The name of the other cell. */
  readonly cell: string;
  /** The name of this cell; empty if it has none. */
  readonly fromCell: string;
  readonly onProgress?: (progress: MoveProgress) => void;
  /** How long hosts of this cell may use what they knew before; two seconds by default. */
  readonly settleMs?: number;
  /** Stops the move; before the pool has arrived, it goes on here. */
  readonly signal?: AbortSignal | undefined;
}

/** A pool that is in the other cell, and nothing of it here. */
export interface MovedPool {
  /** How many rows this run of the command has copied. */
  readonly rows: number;
  /** For how long this run, and others before it, had changes refused; undefined if it copied nothing. */
  readonly refusedMs: number | undefined;
  /** Names of what is limited to pools, this one among them, and stays as the cell's own. */
  readonly alerts: readonly string[];
  readonly credentials: readonly string[];
}

// Hosts hear of a change at once, and use what they knew before for a second where the notification was lost.
const defaultSettleMs = 2_000;

async function arrive(
  lockHolder: Database,
  target: SingleConnection,
  { databaseUrl, pool, fromCell, encryptionKeys, onProgress = () => {}, signal }: MovePoolOptions,
  move: PoolMove,
): Promise<number> {
  return onSingleConnection(databaseUrl, async (source) => {
    const snapshot = await source.database
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute();
    const transaction = await target.database.startTransaction().execute();
    await lockArrival(transaction, pool);
    const arriving = { client: target.client, database: transaction };
    await recordArrival(transaction, pool, move, fromCell);
    const reading = { client: source.client, database: snapshot };
    const rows = await copyPool({ pool, source: reading, target: arriving, onProgress, signal });
    await encryptForTarget(arriving, pool, encryptionKeys);
    signal?.throwIfAborted();
    await requireCopying(lockHolder, pool, move);
    await transaction.commit().execute();
    await snapshot.commit().execute();
    return rows;
  });
}

/** Says so where the other cell already has an id of the pool. */
function explain(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error.code !== '23505') return error;
  return new MoveProblem(
    `the other cell has a row of ${error.table} with the same ${error.constraint} as the pool: nothing was moved`,
    { cause: error },
  );
}

/** Lets the pool go on here, unless it may have arrived. */
async function undo(
  source: Database,
  target: SingleConnection,
  options: MovePoolOptions,
  move: PoolMove,
): Promise<void> {
  const { pool, targetUrl } = options;
  // The connection has an open transaction, or is lost.
  await target.client.end().catch(() => {});
  if (await onTarget(targetUrl, ({ database }) => hasArrived(database, pool, move))) return;
  await undoMove(source, pool, move);
}

async function leaveAndCopy(
  source: Database,
  target: SingleConnection,
  options: MovePoolOptions,
  move: PoolMove,
): Promise<number> {
  const { pool, onProgress = () => {}, signal } = options;
  try {
    onProgress({ step: 'leaving' });
    await waitForTransactions(source, signal);
    await waitForSends(source, pool, {
      onWait: (underWay) => onProgress({ step: 'sending', underWay }),
      signal,
    });
    await freeze(source, pool);
    await waitForTransactions(source, signal);
    return await arrive(source, target, options, move);
  } catch (error) {
    // Where that fails, too, the pool stays as it is for the next run.
    await undo(source, target, options, move).catch(() => {});
    throw explain(error);
  }
}

/** The move of the pool that is to be resumed, if there is one. @throws MoveProblem if it is another than this one */
async function findMove(source: Database, { pool, cell }: MovePoolOptions): Promise<PoolMove | undefined> {
  const move = await readMove(source, pool);
  if (move?.state === 'arrived') {
    throw new MoveProblem(
      `the pool has come from the cell "${move.cell}", where its move is not finished: run the command there again first`,
    );
  }
  if (move !== undefined && move.cell !== cell) {
    throw new MoveProblem(
      `the pool is being moved to "${move.cell}": go on with --to ${move.cell}, or end that with --cancel`,
    );
  }
  return move;
}

async function movedTo(source: Database, pool: string): Promise<string | undefined> {
  const { rows } = await sql<{ cell: string }>`select cell from moved_pool where pool = ${pool}`.execute(
    source,
  );
  return rows[0]?.cell;
}

async function stayingNames(source: Database, table: string, pool: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
select name from ${sql.table(table)} where ${pool} = any (pools) order by name`.execute(source);
  return rows.map(({ name }) => name);
}

interface Copied {
  readonly rows: number;
  readonly refusedMs: number | undefined;
}

/** Has the pool arrive in the other cell, unless it has. */
async function transferPool(
  source: SingleConnection,
  target: SingleConnection,
  options: MovePoolOptions,
  resumedMove: PoolMove | undefined,
): Promise<{ readonly move: PoolMove; readonly copied: Copied }> {
  const { pool, cell, signal } = options;
  const nothing = { rows: 0, refusedMs: undefined };
  if (
    resumedMove !== undefined &&
    (resumedMove.state === 'left' || (await hasArrived(target.database, pool, resumedMove)))
  )
    return { move: resumedMove, copied: nothing };
  try {
    await checkMove(source, target, options);
  } catch (error) {
    if (resumedMove !== undefined) await undoMove(source.database, pool, resumedMove);
    throw error;
  }
  signal?.throwIfAborted();
  const move = resumedMove ?? (await beginMove(source.database, pool, cell));
  const rows = await leaveAndCopy(source.database, target, options, move);
  const { rows: times } = await sql<{ ms: number }>`
select (extract(epoch from clock_timestamp() - began_at) * 1000)::double precision as ms from pool_move
where pool = ${pool}`.execute(source.database);
  return { move, copied: { rows, refusedMs: times[0]?.ms } };
}

/** @throws MoveProblem if the other cell has lost the pool: the only rows of it may be those that are still here */
async function requirePoolInTarget(source: Database, target: Database, { pool, cell }: MovePoolOptions) {
  const { rows: there } = await sql`select from pool where id = ${pool}`.execute(target);
  if (there.length > 0) return;
  const { rows: here } = await sql`
select from waiver where pool = ${pool} union all select from destination where pool = ${pool} limit 1`.execute(
    source,
  );
  if (here.length === 0) return;
  throw new MoveProblem(
    `the database of the cell "${cell}" has no pool "${pool}" any more: what is left of it here is not removed. Was that database restored from a backup of before the move?`,
  );
}

async function finish(
  source: Database,
  target: Database,
  options: MovePoolOptions,
  move: PoolMove,
): Promise<void> {
  const { pool, onProgress = () => {}, settleMs = defaultSettleMs, signal } = options;
  if (move.state !== 'left') await switchOver(source, pool, move);
  else await requirePoolInTarget(source, target, options);
  onProgress({ step: 'arrived' });
  await delay(settleMs, undefined, { signal });
  await removePool(source, pool, {
    onRemoved: (waivers) => onProgress({ step: 'removing', waivers }),
    signal,
  });
  await endMove(target, pool, move);
  await endMove(source, pool, move);
}

/**
 * Moves a pool to the database of another cell, while hosts of both run. See `move-state.ts`. May be killed at any moment
 * and run again, until it returns.
 *
 * @throws MoveProblem, WrongEncryptionKeys, UnsuitableDatabase
 */
export function movePool(options: MovePoolOptions): Promise<MovedPool> {
  const { databaseUrl, targetUrl, pool, cell, encryptionKeys, onProgress = () => {} } = options;
  return onSource(databaseUrl, async (source) => {
    await lockMove(source.database, pool);
    // A table that a migration rewrites meanwhile is empty in the snapshot that is copied.
    await holdOffMigrations(source.database);
    await requireNewestMigration(source.database);
    await requireMatchingKeys(source.database, createEncryption(encryptionKeys));
    const resumedMove = await findMove(source.database, options);
    const [alerts, credentials] = [
      await stayingNames(source.database, 'alert', pool),
      await stayingNames(source.database, 'credential', pool),
    ];
    const home = resumedMove === undefined ? await movedTo(source.database, pool) : undefined;
    if (home === cell) return { rows: 0, refusedMs: undefined, alerts, credentials };
    if (home !== undefined)
      throw new MoveProblem(`the pool "${pool}" is in the cell "${home}": move it from there`);
    onProgress({ step: 'checking' });
    try {
      return await onTarget(targetUrl, async (target) => {
        await requireTwoDatabases(source.database, target.database);
        await holdOffMigrations(target.database);
        await requireUsableTarget(target.database, encryptionKeys);
        await requireCell(target.database, cell);
        const { move, copied } = await transferPool(source, target, options, resumedMove);
        await finish(source.database, target.database, options, move);
        return { ...copied, alerts, credentials };
      });
    } catch (error) {
      throw await settleFailedMove(source.database, pool, error);
    }
  });
}

/** Lets a pool that cannot have arrived go on, and tells of one that may have. @returns the error to throw */
async function settleFailedMove(source: Database, pool: string, error: unknown): Promise<unknown> {
  const move = await readMove(source, pool).catch(() => undefined);
  if (move?.state === 'leaving') await undoMove(source, pool, move);
  // A connection that was lost may be that to the other cell's database.
  if (move?.state !== 'copying')
    return error instanceof BackupProblem ? new MoveProblem(error.message, { cause: error }) : error;
  return new MoveProblem(
    `${reasonOf(error)}. Whether the pool has arrived is not known, so its changes are refused until you run the command again, or with --cancel`,
    { cause: error },
  );
}

import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { forgetMovedPool, recordMovedPool } from '../cells/moved-pools.ts';
import type { Database } from '../database/database.ts';
import { setupChannelName, wakeChannelName } from '../outbox/wake-channel.ts';
import { withdrawalChannelName } from '../outbox/withdrawals.ts';
import { requireNoRecovery } from './check-move.ts';
import { MoveProblem } from './move-problem.ts';
import { changesMovingPools } from './moving-pools.ts';
import { shutOutOlderHosts } from './older-hosts.ts';

/*
 * A pool on its way to another cell, in a row of the cell that it leaves:
 *
 *   (none)   --begin--> leaving  changes of the pool are refused and nothing more of it is claimed; what is being sent ends
 *   leaving  --freeze--> copying  nothing of the pool is written
 *   copying  --switchOver--> left  the pool is gone here, and calls are sent on; its rows are being removed
 *   left     --end--> (none)
 *   leaving, copying --undo--> (none)  the pool goes on here
 *
 * All of it is copied in one transaction of the other cell. Its commit decides: with it the pool is there, and has a row in
 * the state `arrived`, by which a command that is run again, or cancels, knows that it may only go on. The pool is frozen
 * here before that and until `left`, so no message is ever sent by both.
 */

/** A move of a pool. */
export interface PoolMove {
  /** Of the audit log's entry, too. */
  readonly id: string;
  readonly state: 'leaving' | 'copying' | 'left' | 'arrived';
  readonly cell: string;
  readonly beganAt: Date;
}

/** The move of a pool that is under way, if any. */
export async function readMove(database: Database, pool: string): Promise<PoolMove | undefined> {
  const { rows } = await sql<PoolMove>`
select id, state, cell, began_at as "beganAt" from pool_move where pool = ${pool}`.execute(database);
  return rows[0];
}

async function addEntry(
  database: Database,
  entry: {
    readonly id: string;
    readonly action: string;
    readonly pool: string;
    readonly status: number | null;
  },
  cell: string,
): Promise<void> {
  await sql`
insert into audit_entry (id, actor, action, pool, target, request_id, address, status)
values (${entry.id}::uuid, 'command', ${entry.action}, ${entry.pool}, ${cell}, ${entry.id}, '', ${entry.status})`.execute(
    database,
  );
}

const endEntry = (database: Database, id: string, status: number) =>
  sql`update audit_entry set status = ${status}::integer where id = ${id}::uuid and status is null`.execute(
    database,
  );

/** Hosts read anew what they know of pools, and give back what they have claimed and not begun to send. */
const tellHosts = (database: Database) =>
  sql`select pg_notify(${setupChannelName}, ''), pg_notify(${withdrawalChannelName}, ''),
  pg_notify(${wakeChannelName}, '')`.execute(database);

/** @throws MoveProblem if there is no such pool */
export function beginMove(database: Database, pool: string, cell: string): Promise<PoolMove> {
  return database.transaction().execute(async (transaction) => {
    const id = uuidv7();
    const { rows } = await sql<PoolMove>`
insert into pool_move (pool, id, state, cell) select p.id, ${id}::uuid, 'leaving', ${cell} from pool p where p.id = ${pool}
returning id, state, cell, began_at as "beganAt"`.execute(transaction);
    const [move] = rows;
    if (move === undefined) throw new MoveProblem(`there is no pool "${pool}" in this cell`);
    await shutOutOlderHosts(transaction);
    await addEntry(transaction, { id, action: 'pool.move', pool, status: null }, cell);
    await tellHosts(transaction);
    return move;
  });
}

/**
 * From now on nothing of the pool is written.
 *
 * @throws MoveProblem if a recovery runs that began before the pool was leaving; since then none of it can begin
 */
export async function freeze(database: Database, pool: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`update pool_move set state = 'copying' where pool = ${pool}`.execute(transaction);
    await requireNoRecovery(transaction, pool);
  });
}

/**
 * Verifies that no other command has ended this move: with a lost connection, this one has also lost its advisory lock.
 * Call it inside the target transaction, which such a command waits for.
 *
 * @throws MoveProblem
 */
export async function requireCopying(database: Database, pool: string, { id }: PoolMove): Promise<void> {
  // Without waiting: the other command may be waiting for this one.
  const { rows } = await sql`
select from pool_move where pool = ${pool} and id = ${id}::uuid and state = 'copying' for share skip locked`.execute(
    database,
  );
  if (rows.length === 0)
    throw new MoveProblem('another command has ended this move meanwhile: nothing was moved');
}

/**
 * The pool goes on here as before.
 *
 * @param requireEndable throws if it may not; no other command comes in between
 */
export async function undoMove(
  database: Database,
  pool: string,
  { id }: PoolMove,
  requireEndable: () => Promise<void> = async () => {},
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select from pool_move where pool = ${pool} for update`.execute(transaction);
    await requireEndable();
    await sql`delete from pool_move where pool = ${pool} and state in ('leaving', 'copying')`.execute(
      transaction,
    );
    await endEntry(transaction, id, 409);
    await tellHosts(transaction);
  });
}

/** Records, in the transaction that copies the pool, that it is here now. */
export async function recordArrival(
  transaction: Database,
  pool: string,
  { id }: PoolMove,
  fromCell: string,
): Promise<void> {
  await sql`
insert into pool_move (pool, id, state, cell) values (${pool}, ${id}::uuid, 'arrived', ${fromCell})`.execute(
    transaction,
  );
  await addEntry(transaction, { id, action: 'pool.arrive', pool, status: 200 }, fromCell);
  await forgetMovedPool(transaction, pool);
  await tellHosts(transaction);
}

/** The pool is gone for callers, who are sent on. */
export async function switchOver(database: Database, pool: string, { id, cell }: PoolMove): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await changesMovingPools.execute(transaction);
    await recordMovedPool(transaction, { pool, cell });
    await sql`update pool_move set state = 'left' where pool = ${pool}`.execute(transaction);
    await sql`delete from pool where id = ${pool}`.execute(transaction);
    await endEntry(transaction, id, 200);
    await tellHosts(transaction);
  });
}

/** Forgets a move in one of its two cells. */
export async function endMove(database: Database, pool: string, { id }: PoolMove): Promise<void> {
  await sql`delete from pool_move where pool = ${pool} and id = ${id}::uuid`.execute(database);
}

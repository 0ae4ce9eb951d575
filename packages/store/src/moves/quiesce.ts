import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { MoveProblem } from './move-problem.ts';

const pollMs = 100;
const maxTransactionMs = 60_000;
// A message may wait for its answer for `OUTBOUND_TIMEOUT`, and what a lost host was sending is in doubt only after its lease.
const maxSendingMs = 180_000;

async function poll(isOver: () => Promise<boolean>, maxMs: number, signal?: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + maxMs;
  while (!(await isOver())) {
    if (performance.now() > deadline) return false;
    await delay(pollMs, undefined, { signal });
  }
  return true;
}

/** The transactions that run in the database; autovacuum's, which have no user, change nothing. */
async function runningTransactions(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
select l.virtualxid as id from pg_locks l join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'virtualxid' and a.datname = current_database() and a.usename is not null
  and a.pid <> pg_backend_pid()`.execute(database);
  return rows.map(({ id }) => id);
}

/**
 * Waits until every transaction has ended that may have begun before the last commit of this connection, and so does not
 * know of it.
 *
 * @throws MoveProblem
 */
export async function waitForTransactions(database: Database, signal?: AbortSignal): Promise<void> {
  const before = new Set(await runningTransactions(database));
  const isOver = async () => !(await runningTransactions(database)).some((id) => before.has(id));
  if (await poll(isOver, maxTransactionMs, signal)) return;
  throw new MoveProblem(
    `a transaction in this cell's database has been running for more than ${maxTransactionMs / 1000} seconds (a backup, or a session that somebody left open): the pool goes on here; run the command again when it has ended`,
  );
}

/** How many messages of a pool are being sent, and how many of its sessions renewed and webhooks registered. */
async function countUnderWay(database: Database, pool: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
select (
  select count(*) from journal j cross join unnest(j.ids) u (id) join delivery d on d.id = u.id
  where d.pool = ${pool} and (
    exists (select from pending p where p.destination = d.destination and p.id = d.id and p.pool = d.pool)
    or exists (select from ended e where e.id = d.id and e.pool = d.pool and e.state = 'superseded')))
  + (
  select count(*) from booking_system_session s join destination t on t.id = s.destination
  where t.pool = ${pool} and s.renewing_until > now())
  + (
  select count(*) from vendor_webhook where pool = ${pool} and leased_until > now()) as count`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Waits until nothing of a pool is being sent any more.
 *
 * @throws MoveProblem
 */
export async function waitForSends(
  database: Database,
  pool: string,
  {
    onWait,
    signal,
  }: { readonly onWait: (underWay: number) => void; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  let count = 0;
  const isOver = async () => {
    count = await countUnderWay(database, pool);
    if (count > 0) onWait(count);
    return count === 0;
  };
  if (await poll(isOver, maxSendingMs, signal)) return;
  throw new MoveProblem(
    `${count} messages of the pool are still being sent after ${maxSendingMs / 60_000} minutes: the pool goes on here. If no host of this cell runs, start one, which takes over what a lost one was sending; then run the command again`,
  );
}

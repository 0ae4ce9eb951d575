import { setTimeout as delay } from 'node:timers/promises';
import { prepared } from '@waiver-service/database';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { type ChangePosition, isSettled } from './list-changes.ts';

/** Lets readers wait until there is a change for them. */
export interface ChangeWatcher extends ReturnType<typeof createChangeWatcher> {}

/** The maximum number of waiting readers on this host: in total, and per pool. */
const maxWaiting = 512;
export const maxWaitingPerPool = 16;

// A transaction that ends without changing a waiver sends no notification, but may make the changes of others visible.
const pollMs = 1_000;
// The minimum between two statements, however many changes there are.
const minPauseMs = 50;

interface Waiting {
  readonly pool: string;
  readonly position: ChangePosition;
  readonly end: () => void;
}

/** Finds the readers with new changes, in one statement. */
async function findReady(database: Database, waiting: readonly Waiting[]): Promise<Waiting[]> {
  const { rows } = await sql<{ place: number }>`${prepared}
select k.place from unnest(${waiting.map((_, place) => place)}::integer[], ${waiting.map(({ pool }) => pool)}::text[],
  ${waiting.map(({ position }) => position.transaction)}::text[]::xid8[],
  ${waiting.map(({ position }) => position.id)}::text[]) k (place, pool, transaction, id)
cross join lateral (
  select 1 from waiver w where w.pool = k.pool and (w.changed_in, w.id) > (k.transaction, k.id) and ${isSettled}
    and (w.erasure is null or w.erased_at is not null)
  order by w.changed_in, w.id limit 1) w`.execute(database);
  return rows.flatMap(({ place }) => waiting[place] ?? []);
}

/**
 * Creates the watcher of this process: one listener and one statement for all readers.
 *
 * @param listen calls back when a waiver was changed on any host, until the returned function is called.
 */
export function createChangeWatcher(database: Database, listen: (onChange: () => void) => () => void) {
  const waiting = new Set<Waiting>();
  let running: Promise<void> | undefined;
  let isClosed = false;
  let isWoken = false;
  let endPause: () => void = () => {};

  const wake = () => {
    isWoken = true;
    endPause();
  };

  const stopListening = listen(wake);

  async function pause(): Promise<void> {
    await delay(minPauseMs);
    if (isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      isWoken = false;
      const readers = [...waiting];
      // While the database is unavailable, readers wait until their timeout.
      const ready = await findReady(database, readers).catch(() => []);
      for (const { end } of ready) end();
      if (waiting.size > 0) await pause();
    }
    running = undefined;
  }

  return {
    /** Whether one more reader of this pool may wait. */
    hasRoom: (pool: string): boolean =>
      waiting.size < maxWaiting &&
      [...waiting].filter((each) => each.pool === pool).length < maxWaitingPerPool,
    /** Resolves when there is a change after the position, at the timeout, or when the watcher closes. */
    async wait(
      pool: string,
      position: ChangePosition,
      { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
    ): Promise<void> {
      if (isClosed || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => end(), ms);
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          waiting.delete(each);
          resolve();
        };
        const each: Waiting = { pool, position, end };
        signal.addEventListener('abort', end, { once: true });
        waiting.add(each);
        // A change may have been committed since the reader looked.
        wake();
        running ??= run();
      });
    },
    /** Ends every wait; later calls resolve at once. */
    async close(): Promise<void> {
      isClosed = true;
      for (const { end } of waiting) end();
      wake();
      stopListening();
      await running;
    },
  };
}

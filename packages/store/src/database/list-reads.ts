import { sql } from 'kysely';
import type { Database } from './database.ts';

/** A list or a search exceeded its time limit, and was canceled. */
export class ListTooSlow extends Error {
  override readonly name = 'ListTooSlow';
}

/** The pool's limit of concurrent lists is reached, and none ended in time for this one. */
export class TooManyLists extends Error {
  override readonly name = 'TooManyLists';
}

/** Runs the query of a list on a database of its choice. */
export type RunQuery = <Result>(query: (database: Database) => Promise<Result>) => Promise<Result>;

/**
 * Reads a list or a search of some pools. Each of its statements may take two seconds. Lists of the same pools get only a
 * share of the connections; the rest wait for their turn, for two seconds at most.
 *
 * @param pools undefined for all
 * @throws ListTooSlow, TooManyLists
 */
export type ListReads = <Result>(
  pools: readonly string[] | undefined,
  run: RunQuery,
  query: (database: Database) => Promise<Result>,
) => Promise<Result>;

/** How long each statement of a list may take, and how long a list waits for its turn. */
export const maxListMs = 2_000;

const queryCanceled = '57014';

const isCanceled = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === queryCanceled;

interface Turns {
  running: number;
  readonly waiting: Set<() => void>;
}

/** @param maxConnections of the pool of connections that lists share with everything else */
export function createListReads(maxConnections: number): ListReads {
  const maxRunning = Math.max(1, Math.floor(maxConnections / 3));
  // Only for pools with a list being read.
  const turnsOf = new Map<string, Turns>();

  async function enter(turns: Turns): Promise<void> {
    if (turns.running < maxRunning) {
      turns.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      // The turn is handed over, so `running` does not change.
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        turns.waiting.delete(begin);
        reject(new TooManyLists('the lists of these pools have no free connection'));
      }, maxListMs);
      turns.waiting.add(begin);
    });
  }

  function leave(key: string, turns: Turns): void {
    const [next] = turns.waiting;
    if (next !== undefined) {
      turns.waiting.delete(next);
      next();
      return;
    }
    turns.running -= 1;
    if (turns.running === 0) turnsOf.delete(key);
  }

  return async (pools, run, query) => {
    const key = JSON.stringify(pools ?? null);
    const turns = turnsOf.get(key) ?? { running: 0, waiting: new Set() };
    turnsOf.set(key, turns);
    await enter(turns);
    try {
      return await run(async (database) => {
        try {
          return await database.transaction().execute(async (transaction) => {
            await sql.raw(`set local statement_timeout = ${maxListMs}`).execute(transaction);
            return query(transaction);
          });
        } catch (error) {
          if (isCanceled(error)) throw new ListTooSlow('the list was ended', { cause: error });
          throw error;
        }
      });
    } finally {
      leave(key, turns);
    }
  };
}

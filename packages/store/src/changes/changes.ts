import { readList } from '@waiver-service/database';
import { readEra } from '../database/change-clock.ts';
import type { StoreContext } from '../store-context.ts';
import type { ChangeWatcher } from './change-watcher.ts';
import { type ChangesPage, cursorOf, listChanges, positionAfter } from './list-changes.ts';

export interface ChangesRequest {
  /** The `next` of the previous page; omitted to start from the beginning. */
  readonly after?: string | undefined;
  /** The maximum number of items, 1 to 100; validated by the caller. */
  readonly limit: number;
  /** How many milliseconds to wait for a change if there is none. */
  readonly waitMs: number;
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal;
}

/** A page, or why there is none. */
export type ChangesResult = ChangesPage | { readonly outcome: 'too-many-waiting' };

/** The changes of waivers, in an order without gaps. */
export interface Changes extends ReturnType<typeof createChanges> {}

export function createChanges({ database }: Pick<StoreContext, 'database'>, watcher: ChangeWatcher) {
  // The era changes only while no store is open.
  let era: Promise<string> | undefined;
  const knownEra = () => {
    era ??= readEra(database).catch((error: unknown) => {
      era = undefined;
      throw error;
    });
    return era;
  };

  return {
    /**
     * The next changes of a pool's records, each in its current version: one that changed several times appears once, at
     * the position of its last change. A change is listed once no transaction that began before it is still running.
     *
     * @throws MalformedCursor, ListTooSlow
     */
    async read(pool: string, { after, limit, waitMs, signal }: ChangesRequest): Promise<ChangesResult> {
      const current = await knownEra();
      const position = positionAfter(after, current);
      const read = () => readList(database, (limited) => listChanges(limited, pool, position, limit));
      let page = await read();
      if (page.items.length === 0 && waitMs > 0) {
        if (!watcher.hasRoom(pool)) return { outcome: 'too-many-waiting' };
        await watcher.wait(pool, position, { ms: waitMs, signal });
        page = await read();
      }
      return { items: page.items, next: cursorOf(page.last, current) };
    },
    /** Ends every wait, before the process shuts down. */
    stopWaiting: (): Promise<void> => watcher.close(),
  };
}

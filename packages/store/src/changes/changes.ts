import type { Database } from '../database/database.ts';
import { readEra } from './change-clock.ts';
import type { ChangeWatcher } from './change-watcher.ts';
import { type ChangesPage, cursorOf, listChanges, positionAfter } from './list-changes.ts';

/** A request for changes. */
export interface ChangesRequest {
  /** The `next` of the page before; from the beginning where it is left out. */
  readonly after?: string | undefined;
  /** Most items, 1 to 100; the caller checks it. */
  readonly limit: number;
  /** How long to wait for a change where there is none, milliseconds. */
  readonly waitMs: number;
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal;
}

/** A page, or why there is none. */
export type ChangesResult = ChangesPage | { readonly outcome: 'too-many-waiting' };

/** The changes of waivers, each once, in an order in which none is passed over. */
export interface Changes {
  /**
   * The next changes of a pool's records, each as it is now: one that changed several times since is there once, at the
   * place of its last change. A change is listed once no transaction that began before its own is still running.
   * @throws MalformedCursor
   */
  read(pool: string, request: ChangesRequest): Promise<ChangesResult>;
  /** Answers every waiting reader: the process is about to end. */
  stopWaiting(): Promise<void>;
}

/** Makes the part of the store that lists changes. */
export function createChanges(database: Database, watcher: ChangeWatcher): Changes {
  // It changes only while no store is open.
  let era: Promise<string> | undefined;
  const knownEra = () => {
    era ??= readEra(database).catch((error: unknown) => {
      era = undefined;
      throw error;
    });
    return era;
  };

  return {
    async read(pool, { after, limit, waitMs, signal }) {
      const current = await knownEra();
      const position = positionAfter(after, current);
      let page = await listChanges(database, pool, position, limit);
      if (page.items.length === 0 && waitMs > 0) {
        if (!watcher.hasRoom(pool)) return { outcome: 'too-many-waiting' };
        await watcher.wait(pool, position, { ms: waitMs, signal });
        page = await listChanges(database, pool, position, limit);
      }
      return { items: page.items, next: cursorOf(page.last, current) };
    },
    stopWaiting: () => watcher.close(),
  };
}

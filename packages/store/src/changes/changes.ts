import { setTimeout as delay } from 'node:timers/promises';
import {
  decodeCursor,
  encodeCursor,
  limitPageBytes,
  MalformedCursor,
  prepared,
  readList,
} from '@waiver-service/database';
import type { WaiverRecord } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { readEra } from '../database/change-clock.ts';
import type { Database } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import { recordOf, rowBytes, type WaiverRow, waiverColumns } from '../waivers/waiver-rows.ts';

/** The position of the last change that a reader has read. */
interface ChangePosition {
  /** Its transaction (`xid8`). */
  readonly transaction: string;
  readonly id: string;
}

/** A record that changed. */
export interface ChangedWaiver extends WaiverRecord {
  /** Whether it is erased: nothing of it is left but its id. */
  readonly erased: boolean;
}

interface ChangesPage {
  readonly items: ChangedWaiver[];
  /** The cursor after this page; the reader's own if there is nothing new. */
  readonly next: string;
}

/** The position before all changes. */
const beginning: ChangePosition = { transaction: '0', id: '' };

/**
 * Parses the `next` of a page. A cursor of another era, from before the database was restored, means the beginning, so
 * that no change is skipped.
 *
 * @throws MalformedCursor
 */
function positionAfter(after: string | undefined, era: string): ChangePosition {
  if (after === undefined) return beginning;
  const [cursorEra, transaction = '', id = ''] = decodeCursor(after, 3);
  if (!/^\d{1,19}$/.test(transaction)) throw new MalformedCursor();
  return cursorEra === era ? { transaction, id } : beginning;
}

const cursorOf = ({ transaction, id }: ChangePosition, era: string) => encodeCursor([era, transaction, id]);

/**
 * Whether no running transaction began before the one that changed record `w`. Only such changes are listed: whatever
 * commits later has a later position.
 */
const isSettled: RawBuilder<boolean> = sql`w.changed_in < pg_snapshot_xmin(pg_current_snapshot())`;

/**
 * Lists a pool's records in the order of the transactions that last changed them, up to the oldest running one. A
 * record that changes meanwhile moves to the end. One that is being erased is listed once it is erased.
 */
async function listChanges(
  database: Database,
  pool: string,
  position: ChangePosition,
  limit: number,
): Promise<{ readonly items: ChangedWaiver[]; readonly last: ChangePosition }> {
  const found = sql`
select w.* from waiver w
where w.pool = ${pool} and (w.changed_in, w.id) > (${position.transaction}::xid8, ${position.id}) and ${isSettled}
  and (w.erasure is null or w.erased_at is not null)
order by w.changed_in, w.id limit ${limit + 1}::integer`;
  const page = limitPageBytes(found, { order: sql`r.changed_in, r.id`, bytes: rowBytes, limit });
  const { rows } = await sql<WaiverRow & { readonly transaction: string; readonly erased: boolean }>`
select ${waiverColumns}, w.changed_in as transaction, w.erased_at is not null as erased from (${page}) w order by w.page_place`.execute(
    database,
  );
  const last = rows.at(-1);
  return {
    items: rows.map(({ transaction, erased, ...row }) => ({ ...recordOf(row), erased })),
    last: last === undefined ? position : { transaction: last.transaction, id: last.id },
  };
}

/** Lets readers wait until there is a change for them. */
interface ChangeWatcher extends ReturnType<typeof createChangeWatcher> {}

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

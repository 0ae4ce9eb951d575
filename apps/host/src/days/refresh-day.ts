import { isBookingSystemError } from '@waiver-service/core';
import type { DayReading, PoolSetup, ReadingProblem, Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import type { BookingLister, BookingListItem } from '../booking-reading/list-bookings.ts';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { HttpProblem } from '../http/http-problem.ts';
import type { Day } from './day.ts';
import { type DayReader, maxDayBookings } from './read-day.ts';

const pageSize = 100;
const maxPages = maxDayBookings / pageSize;
/** Bookings are listed until two days after their last session: storing earlier ones would be useless. */
const maxPastMs = 2 * 86_400_000;

/** The state of a booking system's bookings for a day. */
export interface DaySource {
  readonly bookingSystem: string;
  readonly displayName: string;
  /** Whether it lists bookings; if not, only individually read ones are known. */
  readonly lists: boolean;
  /** Undefined if it was never read for this day. */
  readonly reading: DayReading | undefined;
}

/** Refreshes days in the background, while people look at them. */
export interface DayRefresh {
  /**
   * Reads a pool's day as stored, and when each installed booking system was last read for it; starts rereading those
   * that are due.
   */
  read(setup: PoolSetup, date: string): Promise<{ day: Day; sources: readonly DaySource[] }>;
  /** Aborts the readings in flight. */
  stop(): Promise<void>;
}

export interface DayRefreshParts {
  readonly store: {
    readonly bookings: Pick<Store['bookings'], 'requestRefresh'>;
    readonly days: Pick<Store['days'], 'readings'>;
  };
  readonly dayReader: DayReader;
  readonly bookingLister: BookingLister;
  readonly bookingSystems: Pick<BookingSystemResolver, 'manifests'>;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

function problemOf(error: unknown): ReadingProblem | undefined {
  if (error instanceof HttpProblem || isBookingSystemError(error)) {
    return { code: error.code, message: error.message };
  }
  return undefined;
}

/** Creates the {@link DayRefresh} of this process. Several hosts share its work: see `DayReadings`. */
export function createDayRefresh({
  store,
  dayReader,
  bookingLister,
  bookingSystems,
  log,
}: DayRefreshParts): DayRefresh {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  // An installed booking system may have lost its plugin.
  const manifestOf = (bookingSystem: string) =>
    bookingSystems.manifests().find(({ installName }) => installName === bookingSystem);
  const listsOf = (bookingSystem: string) => manifestOf(bookingSystem)?.capabilities.lists === true;

  async function listAll(setup: PoolSetup, { from, until }: Day, bookingSystem: string) {
    const items: BookingListItem[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const query = { setup, bookingSystem, from, until, limit: pageSize, cursor, signal: stopping.signal };
      const listed = await bookingLister.list(query);
      items.push(...listed.items);
      if (listed.next === null) return { items, isCut: false };
      cursor = listed.next;
    }
    return { items, isCut: true };
  }

  /** Queues bookings to be reread one by one. Those that cannot be queued are left to the next reading. */
  async function requestRefresh(day: Day, bookingSystem: string, listed: ReadonlySet<string> | undefined) {
    const ids = day.bookings
      .filter((each) => each.bookingSystem === bookingSystem)
      .filter(({ booking, bookingId }) =>
        // A booking that is no longer listed was moved or is gone.
        listed === undefined ? booking === undefined : !listed.has(bookingId),
      )
      .map(({ bookingId }) => bookingId);
    if (ids.length > 0) await store.bookings.requestRefresh(day.pool, bookingSystem, ids);
  }

  async function readSource(setup: PoolSetup, day: Day, bookingSystem: string): Promise<void> {
    const end = store.days.readings.end.bind(undefined, { pool: day.pool, day: day.date, bookingSystem });
    try {
      if (!listsOf(bookingSystem)) {
        await requestRefresh(day, bookingSystem, undefined);
        return await end({ problem: undefined, unreadable: 0, isCut: false });
      }
      const { items, isCut } = await listAll(setup, day, bookingSystem);
      const readable = items.filter(({ fetched }) => fetched !== undefined);
      await requestRefresh(
        day,
        bookingSystem,
        isCut ? undefined : new Set(items.map(({ bookingId }) => bookingId)),
      );
      await end({ problem: undefined, unreadable: items.length - readable.length, isCut });
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      await requestRefresh(day, bookingSystem, undefined);
      await end({ problem, unreadable: 0, isCut: false });
    }
  }

  async function readDue(setup: PoolSetup, day: Day, due: readonly string[]): Promise<void> {
    const begun = await store.days.readings.begin({ pool: day.pool, day: day.date }, due);
    const results = await Promise.allSettled(begun.map((name) => readSource(setup, day, name)));
    for (const result of results) {
      if (result.status === 'rejected' && !stopping.signal.aborted)
        log.error({ err: result.reason }, 'the bookings of a day could not be read');
    }
  }

  function start(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => log.error({ err: error }, 'the bookings of a day could not be read'))
      .finally(() => running.delete(done));
    running.add(done);
  }

  return {
    async read(setup, date) {
      const { pool, timeZone } = setup;
      // Before the day, so that the day includes what a finished reading has stored.
      const readings = await store.days.readings.of({ pool, day: date });
      const day = await dayReader.read({ pool, date, timeZone });
      const sources = setup.bookingSystems.map((bookingSystem): DaySource => {
        const { displayName = bookingSystem } = manifestOf(bookingSystem) ?? {};
        const reading = readings.find((each) => each.bookingSystem === bookingSystem);
        return { bookingSystem, displayName, lists: listsOf(bookingSystem), reading };
      });
      const due = sources.filter(({ reading }) => reading?.isDue !== false).map((each) => each.bookingSystem);
      const isOver = day.until.getTime() < Date.now() - maxPastMs;
      if (due.length > 0 && !isOver && !stopping.signal.aborted) start(readDue(setup, day, due));
      return { day, sources };
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

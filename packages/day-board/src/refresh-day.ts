import { isBookingSystemError } from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import { BookingLister, type BookingListItem, BookingSystemResolver, Log } from '@waiver-service/integration';
import type { PoolSetup } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { type DayReading, DayStore, type ReadingProblem } from './data/day-store.ts';
import { type Day, dayOf, periodOfDay } from './day.ts';

/** The most bookings of a day that are read. */
const maxDayBookings = 1_000;
/** The most walk-ins of a day that are read. */
const maxDayWalkIns = 500;

/** A day of a pool, in the pool's time zone. */
interface DayRequest {
  readonly pool: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** IANA name, of the pool. */
  readonly timeZone: string;
}

interface Running {
  readonly current: Promise<Day>;
  /** For calls that arrived after the current one began, and may have to see later changes. */
  next: Promise<Day> | undefined;
}

/** Reads days from what is stored, without asking a booking system. */
@injectable()
export class DayReader {
  private readonly running = new Map<string, Running>();

  constructor(@inject(DayStore) private readonly store: Pick<DayStore, 'bookings' | 'waivers' | 'days'>) {}

  /** Who is expected, has signed, and has arrived. Concurrent calls for a day share their statements. */
  read(request: DayRequest): Promise<Day> {
    const key = JSON.stringify([request.pool, request.date, request.timeZone]);
    const entry = this.running.get(key);
    if (entry === undefined) return this.start(key, request);
    // Not the running one: it may have read before a change that the caller already knows of.
    entry.next ??= entry.current.then(
      () => this.start(key, request),
      () => this.start(key, request),
    );
    return entry.next;
  }

  /** A fixed number of statements, except for the waivers: one statement per 256 bookings. */
  private async readNow({ pool, date, timeZone }: DayRequest): Promise<Day> {
    const period = periodOfDay(date, timeZone);
    const [upcoming, walkIns, arrivals] = await Promise.all([
      this.store.bookings.listUpcoming({ pool, ...period, limit: maxDayBookings + 1 }),
      this.store.days.walkIns({ pool, ...period, limit: maxDayWalkIns + 1 }),
      this.store.days.arrivals.ofDay(pool, date),
    ]);
    const bookings = await Promise.all(
      upcoming.slice(0, maxDayBookings).map(async (booking) => {
        const { bookingSystem, bookingId } = booking;
        return {
          ...booking,
          waivers: await this.store.waivers.forBooking({ pool, bookingSystem, bookingId }),
        };
      }),
    );
    const shownWalkIns = walkIns
      .slice(0, maxDayWalkIns)
      .toSorted((one, other) => one.lastVisit.getTime() - other.lastVisit.getTime());
    const waivers = [...bookings.flatMap((each) => each.waivers), ...shownWalkIns];
    const flags = await this.store.days.flagsOf(
      pool,
      waivers.map(({ id }) => id),
    );
    return dayOf({
      pool,
      date,
      timeZone,
      ...period,
      bookings,
      walkIns: shownWalkIns,
      isCut: upcoming.length > maxDayBookings || walkIns.length > maxDayWalkIns,
      flags,
      arrivals,
    });
  }

  private start(key: string, request: DayRequest): Promise<Day> {
    const current = this.readNow(request);
    const entry: Running = { current, next: undefined };
    this.running.set(key, entry);
    const end = () => {
      if (entry.next === undefined) this.running.delete(key);
    };
    current.then(end, end);
    return current;
  }
}

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

function problemOf(error: unknown): ReadingProblem | undefined {
  if (error instanceof HttpProblem || isBookingSystemError(error)) {
    return { code: error.code, message: error.message };
  }
  return undefined;
}

/** Refreshes days in the background, while people look at them. Several hosts share its work: see `DayReadings`. */
@injectable()
export class DayRefresh {
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  // An installed booking system may have lost its plugin.
  private readonly manifestOf = (bookingSystem: string) =>
    this.bookingSystems.manifests().find(({ installName }) => installName === bookingSystem);
  private readonly listsOf = (bookingSystem: string) =>
    this.manifestOf(bookingSystem)?.capabilities.lists === true;

  constructor(
    @inject(DayStore)
    private readonly store: {
      readonly bookings: Pick<DayStore['bookings'], 'requestRefresh'>;
      readonly days: Pick<DayStore['days'], 'readings'>;
    },
    @inject(Log) private readonly log: Pick<Log, 'error'>,
    @inject(BookingSystemResolver) private readonly bookingSystems: Pick<BookingSystemResolver, 'manifests'>,
    @inject(BookingLister) private readonly bookingLister: BookingLister,
    @inject(DayReader) private readonly dayReader: Pick<DayReader, 'read'>,
  ) {}

  /**
   * Reads a pool's day as stored, and when each installed booking system was last read for it; starts rereading those
   * that are due.
   */
  async read(setup: PoolSetup, date: string): Promise<{ day: Day; sources: readonly DaySource[] }> {
    const { pool, timeZone } = setup;
    // Before the day, so that the day includes what a finished reading has stored.
    const readings = await this.store.days.readings.of({ pool, day: date });
    const day = await this.dayReader.read({ pool, date, timeZone });
    const sources = setup.bookingSystems.map((bookingSystem): DaySource => {
      const { displayName = bookingSystem } = this.manifestOf(bookingSystem) ?? {};
      const reading = readings.find((each) => each.bookingSystem === bookingSystem);
      return { bookingSystem, displayName, lists: this.listsOf(bookingSystem), reading };
    });
    const due = sources.filter(({ reading }) => reading?.isDue !== false).map((each) => each.bookingSystem);
    const isOver = day.until.getTime() < Date.now() - maxPastMs;
    if (due.length > 0 && !isOver && !this.stopping.signal.aborted) this.start(this.readDue(setup, day, due));
    return { day, sources };
  }

  /** Aborts the readings in flight. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private async listAll(setup: PoolSetup, { from, until }: Day, bookingSystem: string) {
    const items: BookingListItem[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const query = {
        setup,
        bookingSystem,
        from,
        until,
        limit: pageSize,
        cursor,
        signal: this.stopping.signal,
      };
      const listed = await this.bookingLister.list(query);
      items.push(...listed.items);
      if (listed.next === null) return { items, isCut: false };
      cursor = listed.next;
    }
    return { items, isCut: true };
  }

  /** Queues bookings to be reread one by one. Those that cannot be queued are left to the next reading. */
  private async requestRefresh(day: Day, bookingSystem: string, listed: ReadonlySet<string> | undefined) {
    const ids = day.bookings
      .filter((each) => each.bookingSystem === bookingSystem)
      .filter(({ booking, bookingId }) =>
        // A booking that is no longer listed was moved or is gone.
        listed === undefined ? booking === undefined : !listed.has(bookingId),
      )
      .map(({ bookingId }) => bookingId);
    if (ids.length > 0) await this.store.bookings.requestRefresh(day.pool, bookingSystem, ids);
  }

  private async readSource(setup: PoolSetup, day: Day, bookingSystem: string): Promise<void> {
    const end = this.store.days.readings.end.bind(undefined, {
      pool: day.pool,
      day: day.date,
      bookingSystem,
    });
    try {
      if (!this.listsOf(bookingSystem)) {
        await this.requestRefresh(day, bookingSystem, undefined);
        return await end({ problem: undefined, unreadable: 0, isCut: false });
      }
      const { items, isCut } = await this.listAll(setup, day, bookingSystem);
      const readable = items.filter(({ fetched }) => fetched !== undefined);
      await this.requestRefresh(
        day,
        bookingSystem,
        isCut ? undefined : new Set(items.map(({ bookingId }) => bookingId)),
      );
      await end({ problem: undefined, unreadable: items.length - readable.length, isCut });
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      await this.requestRefresh(day, bookingSystem, undefined);
      await end({ problem, unreadable: 0, isCut: false });
    }
  }

  private async readDue(setup: PoolSetup, day: Day, due: readonly string[]): Promise<void> {
    const begun = await this.store.days.readings.begin({ pool: day.pool, day: day.date }, due);
    const results = await Promise.allSettled(begun.map((name) => this.readSource(setup, day, name)));
    for (const result of results) {
      if (result.status === 'rejected' && !this.stopping.signal.aborted)
        this.log.error({ err: result.reason }, 'the bookings of a day could not be read');
    }
  }

  private start(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => this.log.error({ err: error }, 'the bookings of a day could not be read'))
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }
}

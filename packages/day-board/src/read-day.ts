import { inject, injectable } from 'inversify';
import { DayStore } from './data/day-store.ts';
import { type Day, dayOf, periodOfDay } from './day.ts';

/** The most bookings of a day that are read. */
export const maxDayBookings = 1_000;
/** The most walk-ins of a day that are read. */
const maxDayWalkIns = 500;

/** A day of a pool, in the pool's time zone. */
export interface DayRequest {
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

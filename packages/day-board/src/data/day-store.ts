import { readFlags, type SigningStore } from '@waiver-service/signing/data';
import type { Database } from '@waiver-service/store/features';
import type { ServiceIdentifier } from 'inversify';
import { sql } from 'kysely';
import { createArrivals } from './arrivals.ts';
import type { DayContext, OwnTables } from './tables.ts';

/** From the start of one reading of a day to the next, while people are viewing the day. */
const interval = sql`interval '3 minutes'`;
/** The same after a failure, so that a booking system's recovery is noticed soon. */
const intervalAfterFailure = sql`interval '20 seconds'`;

/** A day of a pool. */
interface PoolDay {
  readonly pool: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

/** Why a booking system did not list its bookings. */
export interface ReadingProblem {
  readonly code: string;
  readonly message: string;
}

/** The end of a reading. */
interface ReadingResult {
  readonly problem: ReadingProblem | undefined;
  /** The number of listed bookings that could not be read. */
  readonly unreadable: number;
  /** Whether there are more bookings than were read. */
  readonly isCut: boolean;
}

/** The last reading of a day's bookings from a booking system. */
export interface DayReading extends ReadingResult {
  readonly bookingSystem: string;
  /** The last one that succeeded. */
  readonly readAt: Date | null;
  readonly isUnderWay: boolean;
  /** Whether it is time for another one. */
  readonly isDue: boolean;
}

interface ReadingRow extends Omit<DayReading, 'problem'> {
  readonly code: string | null;
  readonly message: string | null;
}

const maxMessageLength = 500;
// A start in the future dates from before the clock was set back. Not compared with `now()`: in a statement that waited
// for another host's, that lies before the other host's reading began.
const isDue = sql`(r.begun_at > clock_timestamp()
  or r.begun_at <= now() - case when r.problem_code is null then ${interval} else ${intervalAfterFailure} end)`;

/** Coordinates hosts that read a day's bookings: one at a time, every few minutes, and sooner after a failure. */
function createDayReadings({ database }: DayContext) {
  return {
    /** Of every booking system that was read for this day. */
    async of({ pool, day }: PoolDay): Promise<readonly DayReading[]> {
      const { rows } = await sql<ReadingRow>`
select r.booking_system, r.read_at, r.problem_code as code,
  r.problem_message as message, r.unreadable, r.is_cut, ${isDue} as is_due,
  (r.ended_at is null or r.ended_at < r.begun_at) and not ${isDue} as is_under_way
from day_reading r where r.pool = ${pool} and r.day = ${day}::date`.execute(database);
      return rows.map(({ code, message, ...row }) => ({
        ...row,
        problem: code === null ? undefined : { code, message: message ?? '' },
      }));
    },
    /** Claims the readings that are due. @returns the booking systems for the caller to read, with an `end` for each */
    async begin({ pool, day }: PoolDay, bookingSystems: readonly string[]): Promise<readonly string[]> {
      const { rows } = await sql<{ bookingSystem: string }>`
insert into day_reading as r (pool, booking_system, day)
select ${pool}, s.name, ${day}::date from unnest(${[...bookingSystems].toSorted()}::text[]) s (name)
on conflict (pool, booking_system, day)
do update set begun_at = date_trunc('milliseconds', now()) where ${isDue}
returning r.booking_system`.execute(database);
      return rows.map(({ bookingSystem }) => bookingSystem);
    },
    async end(
      { pool, day, bookingSystem }: PoolDay & { readonly bookingSystem: string },
      { problem, unreadable, isCut }: ReadingResult,
    ): Promise<void> {
      const now = sql<Date>`date_trunc('milliseconds', clock_timestamp())`;
      await database
        .updateTable('dayReading')
        .set({
          endedAt: now,
          readAt: problem === undefined ? now : undefined,
          problemCode: problem?.code ?? null,
          problemMessage: problem?.message.slice(0, maxMessageLength) ?? null,
          unreadable,
          isCut,
        })
        .where('pool', '=', pool)
        .where('bookingSystem', '=', bookingSystem)
        .where('day', '=', day)
        .execute();
    },
  };
}

/** A waiver that was signed without a booking. */
export interface WalkInWaiver {
  readonly id: string;
  /** The answer `name`. */
  readonly name: string | null;
  readonly currentPage: string | null;
  readonly lastVisit: Date;
  /** The signing that completed it; others with the same one were signed together. */
  readonly signing: string | null;
}

/**
 * The walk-ins whose visit is in a period: those who have signed first, since anyone with a desk's link may begin any
 * number; the earliest first.
 */
async function listWalkIns(
  database: Database,
  {
    pool,
    from,
    until,
    limit,
  }: { readonly pool: string; readonly from: Date; readonly until: Date; readonly limit: number },
): Promise<readonly WalkInWaiver[]> {
  const { rows } = await sql<WalkInWaiver>`
select w.id, w.answers::json ->> 'name' as name, w.current_page, w.last_visit, w.signing
from waiver w
where w.pool = ${pool} and w.booking_id is null and not w.deleted and w.erasure is null
  and w.last_visit >= ${from} and w.last_visit < ${until}
order by w.current_page is not null, w.last_visit, w.id limit ${limit}::integer`.execute(database);
  return rows;
}

/** The store with what the day board shows. */
export interface DayStore extends SigningStore {
  readonly days: ReturnType<typeof createDays>;
}
export const DayStore: ServiceIdentifier<DayStore> = Symbol('DayStore');

function createDays(store: SigningStore) {
  const { database } = store.context;
  const context = { ...store.context, database: database.withTables<OwnTables>() };
  return {
    walkIns: listWalkIns.bind(undefined, database),
    flagsOf: readFlags.bind(undefined, database),
    arrivals: createArrivals(context),
    readings: createDayReadings(context),
  };
}

export function openDayStore(store: SigningStore): DayStore {
  return { ...store, days: createDays(store) };
}

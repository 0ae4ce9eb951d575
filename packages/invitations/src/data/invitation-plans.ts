import type { InvitationOccasion } from '@waiver-service/api';
import {
  type Database,
  type DatabaseTransaction,
  isAfter,
  type UpcomingPosition,
} from '@waiver-service/store/features';
import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';

/** A booking of the coming days, with its latest plan. */
export interface PlannableBooking extends Pick<BookingKey, 'bookingSystem' | 'bookingId'> {
  readonly firstStartsAt: Date;
  /** When it was last read; null if the response is no longer stored. */
  readonly fetchedAt: Date | null;
  readonly plan: {
    readonly occasion: InvitationOccasion;
    readonly day: string;
    /** Of the response that the plan is based on; null if the booking could not be read. */
    readonly fetchedAt: Date | null;
    readonly retryAt: Date | null;
  } | null;
}

interface Row extends Omit<PlannableBooking, 'plan'> {
  readonly occasion: InvitationOccasion | null;
  readonly day: string | null;
  readonly plannedOf: Date | null;
  readonly retryAt: Date | null;
}

/** Lists the bookings of a pool whose first session begins in a period, without their contents. */
export async function listPlannable(
  database: Database,
  {
    pool,
    from,
    until,
    after,
    limit,
  }: {
    readonly pool: string;
    readonly from: Date;
    readonly until: Date;
    readonly after: UpcomingPosition | undefined;
    readonly limit: number;
  },
): Promise<readonly PlannableBooking[]> {
  const { rows } = await sql<Row>`
select u.booking_system, u.booking_id, u.first_starts_at,
  b.fetched_at, p.occasion, p.day, p.fetched_at as planned_of, p.retry_at
from upcoming_booking u
left join cached_booking b on b.pool = u.pool and b.booking_system = u.booking_system and b.booking_id = u.booking_id
left join invitation_plan p on p.pool = u.pool and p.booking_system = u.booking_system and p.booking_id = u.booking_id
where u.pool = ${pool} and u.first_starts_at > ${from} and u.first_starts_at < ${until} and ${isAfter(after)}
order by u.first_starts_at, u.booking_system, u.booking_id limit ${limit}::integer`.execute(database);
  return rows.map(({ occasion, day, plannedOf, retryAt, ...booking }) => ({
    ...booking,
    plan: occasion === null || day === null ? null : { occasion, day, fetchedAt: plannedOf, retryAt },
  }));
}

/** The result of examining a booking for an occasion. */
export interface InvitationPlan extends BookingKey {
  readonly occasion: InvitationOccasion;
  readonly day: string;
  readonly fetchedAt: Date | null;
  readonly retryAt: Date | null;
  /** Why no message resulted; null if all is well. */
  readonly problem: string | null;
}

/** Stores a booking's latest plan. */
export async function putPlan(transaction: DatabaseTransaction, plan: InvitationPlan): Promise<void> {
  const { pool, bookingSystem, bookingId, occasion, day, fetchedAt, retryAt, problem } = plan;
  await sql`
insert into invitation_plan (pool, booking_system, booking_id, occasion, day, fetched_at, retry_at, problem)
values (${pool}, ${bookingSystem}, ${bookingId}, ${occasion}, ${day}::date, ${fetchedAt}, ${retryAt}, ${problem})
on conflict (pool, booking_system, booking_id) do update set occasion = excluded.occasion, day = excluded.day,
  fetched_at = excluded.fetched_at, retry_at = excluded.retry_at, problem = excluded.problem`.execute(
    transaction,
  );
}

/** A booking whose guests get no message, and why. */
export interface UninvitedBooking extends Pick<InvitationPlan, 'bookingSystem' | 'bookingId' | 'day'> {
  readonly problem: string;
}

/** A pool's coming bookings whose guests got no message, soonest first. */
export async function listUninvited(
  database: Database,
  pool: string,
  limit: number,
): Promise<readonly UninvitedBooking[]> {
  const { rows } = await sql<UninvitedBooking>`
select p.booking_system, p.booking_id, p.day, p.problem
from invitation_plan p join upcoming_booking u
  on u.pool = p.pool and u.booking_system = p.booking_system and u.booking_id = p.booking_id
where p.pool = ${pool} and p.problem is not null and u.first_starts_at > now()
order by u.first_starts_at, p.booking_id limit ${limit}::integer`.execute(database);
  return rows;
}

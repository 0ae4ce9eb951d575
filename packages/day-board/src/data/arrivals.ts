import type { Queryable } from '@waiver-service/database';
import { idsOfBooking, type PlacedWaiver, referenceOf } from '@waiver-service/store/features';
import type { Actor, BookingKey } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { DayContext } from './tables.ts';

/** How long arrivals are kept. */
export const arrivalRetentionDays = 30;

/** When staff noted that a guest has arrived. */
export interface Arrival {
  readonly arrivedAt: Date;
  readonly arrivedBy: Actor;
}

/** A guest who has arrived on a day. */
export interface ArrivedGuest extends Arrival {
  /** Both are empty for a waiver. */
  readonly bookingSystem: string;
  readonly bookingId: string;
  readonly guest: string;
}

/** The key of a guest whom the booking names by an id. */
export const guestKey = (bookingGuestId: string): string => `guest:${bookingGuestId}`;
/** The key of a guest without an id, by the place in the booking from 1. */
export const placeKey = (place: number): string => `place:${place}`;
/** The key of the guest of a waiver, whatever booking it is attached to. */
export const waiverKey = (waiverId: string): string => `waiver:${waiverId}`;

/** Guests of a booking on a day, by their keys. */
export interface BookingArrivals extends BookingKey {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly guests: readonly string[];
}

/** The guest of a waiver on a day. */
export interface WaiverArrival {
  readonly pool: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly waiverId: string;
}

const isWaiver = (guest: string) => guest.startsWith(waiverKey(''));

async function insert(
  database: Queryable,
  {
    pool,
    day,
    bookingSystem,
    bookingId,
    guests,
    by,
  }: BookingKey & Pick<BookingArrivals, 'day' | 'guests'> & { readonly by: Actor },
): Promise<void> {
  // In a fixed order, so that two calls cannot deadlock.
  await sql`
insert into arrival (pool, day, booking_system, booking_id, guest, arrived_by, arrived_by_name)
select ${pool}, ${day}::date, ${bookingSystem}, ${bookingId}, g.guest, ${by.id}, ${by.name}
from unnest(${[...new Set(guests)].toSorted()}::text[]) g (guest)
on conflict do nothing`.execute(database);
}

async function remove(
  database: DayContext['database'],
  { pool, day, bookingSystem, bookingId, guests }: BookingKey & Pick<BookingArrivals, 'day' | 'guests'>,
): Promise<void> {
  await database
    .deleteFrom('arrival')
    .where('pool', '=', pool)
    .where('day', '=', day)
    .where('bookingSystem', '=', bookingSystem)
    .where('bookingId', '=', bookingId)
    .where(sql<boolean>`guest = any (${[...guests]}::text[])`)
    .execute();
}

const ofWaivers = (pool: string) => ({ pool, bookingSystem: '', bookingId: '' });

/** Arrivals of guests. Every change is idempotent: the first time and person are kept. */
export function createArrivals({ database }: DayContext) {
  async function set(
    arrivals: BookingKey & Pick<BookingArrivals, 'day' | 'guests'>,
    arrived: boolean,
    by: Actor,
  ): Promise<void> {
    if (arrivals.guests.length === 0) return;
    await (arrived ? insert(database, { ...arrivals, by }) : remove(database, arrivals));
  }

  return {
    /** @returns false if no such booking is known */
    async setOfBooking(
      { guests, ...booking }: BookingArrivals,
      arrived: boolean,
      by: Actor,
    ): Promise<boolean> {
      const { pool, bookingSystem, bookingId, day } = booking;
      const { rows } = await sql`
select from upcoming_booking
where pool = ${pool} and booking_system = ${bookingSystem} and booking_id = ${bookingId}`.execute(database);
      if (rows.length === 0) return false;
      await set({ ...booking, guests: guests.filter((guest) => !isWaiver(guest)) }, arrived, by);
      await set({ ...ofWaivers(pool), day, guests: guests.filter(isWaiver) }, arrived, by);
      return true;
    },
    /** @returns false if the pool has no such waiver */
    async setOfWaiver({ pool, day, waiverId }: WaiverArrival, arrived: boolean, by: Actor): Promise<boolean> {
      const { rows } = await sql`
select from waiver where pool = ${pool} and id = ${waiverId} and erasure is null`.execute(database);
      if (rows.length === 0) return false;
      await set({ ...ofWaivers(pool), day, guests: [waiverKey(waiverId)] }, arrived, by);
      return true;
    },
    async ofDay(pool: string, day: string): Promise<readonly ArrivedGuest[]> {
      const rows = await database
        .selectFrom('arrival')
        .select([
          'bookingSystem',
          'bookingId',
          'guest',
          'arrivedAt',
          'arrivedBy as by',
          'arrivedByName as byName',
        ])
        .where('pool', '=', pool)
        .where('day', '=', day)
        .execute();
      return rows.map(({ by, byName, ...row }) => ({ ...row, arrivedBy: { id: by, name: byName } }));
    },
  };
}

/** A condition on arrivals `a`: those of some waivers of a pool, by their ids and by the guests whom they name. */
function isOfWaivers(pool: string, waivers: readonly PlacedWaiver[]): RawBuilder<boolean> {
  return sql`a.pool = ${pool} and exists (
  select from unnest(${waivers.map(({ id }) => waiverKey(id))}::text[],
    ${waivers.map(({ bookingSystem }) => bookingSystem)}::text[],
    ${waivers.map(({ bookingId }) => bookingId)}::text[],
    ${waivers.map(({ bookingGuestId }) => bookingGuestId && guestKey(bookingGuestId))}::text[])
    w (waiver, booking_system, booking_id, guest)
  cross join lateral (select ${pool}::text as pool, w.booking_system, w.booking_id) b
  where a.booking_id = '' and a.guest = w.waiver
    or a.guest = w.guest and a.booking_system = w.booking_system
      and a.booking_id = any (array(${idsOfBooking(referenceOf('b'))})))`;
}

/** The guests' keys: they let the index find the rows. */
const keysOf = (waivers: readonly PlacedWaiver[]) =>
  waivers.flatMap(({ id, bookingGuestId }) => [
    waiverKey(id),
    ...(bookingGuestId === null ? [] : [guestKey(bookingGuestId)]),
  ]);

/** Deletes the arrivals of waivers' guests. */
export async function eraseArrivals(
  transaction: Queryable,
  pool: string,
  waivers: readonly PlacedWaiver[],
): Promise<void> {
  await sql`
delete from arrival a where a.pool = ${pool} and a.guest = any (${keysOf(waivers)}::text[])
  and ${isOfWaivers(pool, waivers)}`.execute(transaction);
}

/** A day on which the guest of a record has arrived. */
interface ExportedArrival {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly arrivedAt: Date;
}

/** The days on which the guest of a record has arrived, of the last {@link arrivalRetentionDays}. */
export async function arrivalsOf(
  database: Queryable,
  { pool, ...waiver }: PlacedWaiver & { readonly pool: string },
): Promise<readonly ExportedArrival[]> {
  const { rows } = await sql<ExportedArrival>`
select a.day, a.arrived_at from arrival a
where a.pool = ${pool} and a.guest = any (${keysOf([waiver])}::text[]) and ${isOfWaivers(pool, [waiver])}
order by a.day, a.arrived_at`.execute(database);
  return rows;
}

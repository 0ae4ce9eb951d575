import type { DayGuest, WalkIn } from '@waiver-service/api';
import type { BookedSession, Booking } from '@waiver-service/core';
import {
  daysAfter,
  isCancelled,
  isSessionIn,
  type ListPeriod,
  matchWaivers,
  validWaivers,
} from '@waiver-service/integration';
import { utcOfLocalDateTime } from '@waiver-service/plugin-kit';
import type { BookingWaiver, UpcomingBooking } from '@waiver-service/store';
import { type Arrival, type ArrivedGuest, guestKey, placeKey, waiverKey } from './data/arrivals.ts';
import type { WalkInWaiver } from './data/day-store.ts';

function startOf(date: string, timeZone: string): Date {
  const utc = utcOfLocalDateTime(`${date}T00:00:00`, timeZone);
  if (utc === undefined) throw new Error(`${date} is no day`);
  return new Date(utc);
}

/** From the beginning of a day in a time zone to that of the next one: 23 or 25 hours where clocks change. */
export const periodOfDay = (date: string, timeZone: string): ListPeriod => ({
  from: startOf(date, timeZone),
  until: startOf(daysAfter(date, 1), timeZone),
});

/** A booking with a session on a day. */
export interface DayBooking {
  readonly bookingSystem: string;
  /** Its own id. */
  readonly bookingId: string;
  /** Undefined if the last response is too old, until it has been read again. */
  readonly booking: Booking | undefined;
  readonly fetchedAt: Date | undefined;
  readonly isCancelled: boolean;
  /** Those of the day, by start. */
  readonly sessions: readonly BookedSession[];
  readonly guests: readonly DayGuest[];
  /** How many of those expected have signed; for an unread booking, how many have signed for it. */
  readonly signed: number;
  /** How many are expected: `pax`, or more if the booking names more guests. */
  readonly expected: number;
}

/** A day of a pool: who is expected, who has signed, who has arrived. */
export interface Day extends ListPeriod {
  readonly pool: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly timeZone: string;
  readonly bookings: readonly DayBooking[];
  /** Oldest first. */
  readonly walkIns: readonly WalkIn[];
  /** Whether there are more bookings, or more walk-ins, than are read. */
  readonly isCut: boolean;
}

/** Everything stored about a day. */
export interface StoredDay extends Omit<Day, 'bookings' | 'walkIns'> {
  readonly bookings: readonly (UpcomingBooking & { readonly waivers: readonly BookingWaiver[] })[];
  readonly walkIns: readonly WalkInWaiver[];
  /** By waiver id. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly arrivals: readonly ArrivedGuest[];
}

const stateOf = ({ currentPage }: Pick<BookingWaiver, 'currentPage'>): DayGuest['state'] =>
  currentPage === null ? 'signed' : 'begun';

const arrivalKey = ({ bookingSystem, bookingId, guest }: Omit<ArrivedGuest, keyof Arrival>) =>
  JSON.stringify([bookingSystem, bookingId, guest]);

/** Creates the function that finds when a guest arrived: by the key in the booking, or by the waiver. */
function arrivalsBy(arrivals: readonly ArrivedGuest[]) {
  const found = new Map(arrivals.map((each) => [arrivalKey(each), each]));
  const ofWaiver = (id: string | undefined) =>
    id === undefined
      ? undefined
      : found.get(arrivalKey({ bookingSystem: '', bookingId: '', guest: waiverKey(id) }));
  return (
    { bookingSystem, bookingId }: Pick<DayBooking, 'bookingSystem' | 'bookingId'>,
    guest: string,
    waiverId: string | undefined,
  ): DayGuest['arrival'] => {
    const arrived = found.get(arrivalKey({ bookingSystem, bookingId, guest })) ?? ofWaiver(waiverId);
    return arrived === undefined
      ? null
      : { at: arrived.arrivedAt, by: arrived.arrivedBy.name ?? arrived.arrivedBy.id };
  };
}

type ArrivalOf = ReturnType<typeof arrivalsBy>;

const inBooking = { bookingSystem: '', bookingId: '' };

/** A booking's sessions in a period. Of an unread booking, only the start of the first is known. */
function sessionsOf(
  { stored, firstStartsAt }: UpcomingBooking,
  { from, until }: ListPeriod,
): readonly BookedSession[] {
  if (stored === undefined) return [{ startsAt: firstStartsAt.toISOString() }];
  return stored.fetched.booking.bookedSessions
    .filter((session) => isSessionIn(session, from, until))
    .toSorted((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
}

/** For guests without a valid waiver for the visit, finds until when they had one. */
function formerValidity(
  { stored, waivers }: StoredDay['bookings'][number],
  valid: readonly BookingWaiver[],
  timeZone: string,
): (guest: number) => string | null | undefined {
  const ranOut = waivers.filter((waiver) => !valid.includes(waiver));
  if (ranOut.length === 0) return () => undefined;
  // Without sessions, so that none is left out as expired.
  const former = { guests: stored?.fetched.booking.guests ?? [], bookedSessions: [] };
  const { guests } = matchWaivers(former, ranOut, timeZone);
  return (guest) => ranOut.find(({ id }) => id === guests[guest]?.waiverId)?.validUntil;
}

interface GuestsParts {
  readonly matched: ReturnType<typeof matchWaivers>;
  readonly validUntilOf: ReturnType<typeof formerValidity>;
  readonly flags: StoredDay['flags'];
  readonly arrivalOf: ArrivalOf;
}

// More than any booking has: one mistyped number must not exhaust the memory and so hide the whole day.
const maxUnnamedGuests = 5_000;

function guestsOf(
  { bookingSystem, bookingId, stored, waivers }: StoredDay['bookings'][number],
  { matched, validUntilOf, flags, arrivalOf }: GuestsParts,
): readonly DayGuest[] {
  const place = { bookingSystem, bookingId };
  const known = stored?.fetched.booking.guests ?? [];
  const flagsOf = (waiverId: string | undefined) => [
    ...((waiverId === undefined ? undefined : flags.get(waiverId)) ?? []),
  ];
  const listed = known.map(({ id, name }, index): DayGuest => {
    const { waiverId, signed = false } = matched.guests[index] ?? {};
    const key = id === undefined ? placeKey(index + 1) : guestKey(id);
    const begun = waiverId === undefined ? 'missing' : 'begun';
    const state = signed ? 'signed' : begun;
    return {
      key,
      kind: 'listed',
      bookingGuestId: id,
      name,
      waiverId,
      state,
      validUntil: (state === 'missing' && validUntilOf(index)) || undefined,
      flags: flagsOf(waiverId),
      arrival: arrivalOf(place, key, waiverId),
    };
  });
  const taken = new Set(listed.map(({ waiverId }) => waiverId));
  const taking = new Set(known.map(({ id }) => id));
  // A guest's second waiver is not an extra guest.
  const others = waivers.filter(
    ({ id, bookingGuestId }) =>
      !taken.has(id) && (bookingGuestId === null || stored === undefined || !taking.has(bookingGuestId)),
  );
  const pax = stored?.fetched.booking.pax ?? 0;
  const extra = others.map((waiver, index): DayGuest => {
    const key = waiverKey(waiver.id);
    const number = known.length + index + 1;
    const ofPlace = number <= pax ? placeKey(number) : undefined;
    return {
      key,
      placeKey: ofPlace,
      kind: 'extra',
      bookingGuestId: waiver.bookingGuestId ?? undefined,
      name: waiver.name ?? undefined,
      waiverId: waiver.id,
      state: stateOf(waiver),
      flags: flagsOf(waiver.id),
      arrival:
        ofPlace === undefined ? arrivalOf(inBooking, key, undefined) : arrivalOf(place, ofPlace, waiver.id),
    };
  });
  // The first unnamed places are taken by the extra guests.
  const filled = known.length + extra.length;
  const places = Math.min(Math.max(0, pax - filled), maxUnnamedGuests);
  const unnamed = Array.from({ length: places }, (_, index): DayGuest => {
    const key = placeKey(filled + index + 1);
    return { key, kind: 'unnamed', state: 'missing', flags: [], arrival: arrivalOf(place, key, undefined) };
  });
  return [...listed, ...extra, ...unnamed];
}

/** An extra guest takes an unnamed place, never that of a named guest. */
function signedOf(guests: readonly DayGuest[], expected: number): number {
  const signed = guests.filter(({ state }) => state === 'signed');
  const listed = signed.filter(({ kind }) => kind === 'listed').length;
  const places = expected - guests.filter(({ kind }) => kind === 'listed').length;
  return listed + Math.min(places, signed.length - listed);
}

/** Combines what is stored about a day. Bookings without a session on the day are left out. */
export function dayOf({ bookings, walkIns, flags, arrivals, ...day }: StoredDay): Day {
  const arrivalOf = arrivalsBy(arrivals);
  return {
    ...day,
    bookings: bookings.flatMap((each): readonly DayBooking[] => {
      const sessions = sessionsOf(each, day);
      if (sessions.length === 0 && each.stored !== undefined) return [];
      const booking = each.stored?.fetched.booking;
      const named = booking?.guests ?? [];
      const waivers = validWaivers(booking, each.waivers, day.timeZone);
      const matched = matchWaivers(booking, waivers, day.timeZone);
      const validUntilOf = formerValidity(each, waivers, day.timeZone);
      const guests = guestsOf({ ...each, waivers }, { matched, validUntilOf, flags, arrivalOf });
      const expected = Math.max(booking?.pax ?? 0, named.length);
      return [
        {
          bookingSystem: each.bookingSystem,
          bookingId: each.bookingId,
          booking,
          fetchedAt: each.stored?.fetchedAt,
          isCancelled: booking !== undefined && isCancelled(booking),
          sessions,
          guests,
          signed: booking === undefined ? matched.signed : signedOf(guests, expected),
          expected,
        },
      ];
    }),
    walkIns: walkIns.map((waiver) => {
      const key = waiverKey(waiver.id);
      return {
        key,
        name: waiver.name ?? undefined,
        waiverId: waiver.id,
        state: stateOf(waiver),
        flags: [...(flags.get(waiver.id) ?? [])],
        arrival: arrivalOf(inBooking, key, undefined),
        signedAt: waiver.lastVisit,
        signing: waiver.signing,
      };
    }),
  };
}

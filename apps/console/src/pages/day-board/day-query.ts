import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call, serviceNow } from '../../api/client.ts';
import { boardRefreshMs } from '../../api/queries.ts';
import type { Day, DayBooking, DayGuest } from '../../api/resources.ts';
import { useToast } from '../../components/notice.tsx';

/** The ticking or unticking of a booking's guests, or of a walk-in. */
export interface Tick {
  /** Undefined for a walk-in. */
  readonly booking: Pick<DayBooking, 'bookingSystem' | 'bookingId'> | undefined;
  readonly keys: readonly string[];
  readonly arrived: boolean;
}

/** The day that is shown: a booking may have sessions on others, too. */
type PoolDay = Pick<Day, 'pool' | 'date'>;

type DayTick = Tick & PoolDay;

/** By {@link tickKey}, until stored by the host: whether the guest has arrived. */
type PendingTicks = ReadonlyMap<string, boolean>;

const tickKey = ({ pool, date }: PoolDay, booking: Tick['booking'], key: string): string =>
  JSON.stringify([pool, date, booking?.bookingSystem, booking?.bookingId, key]);

export const keysOfTick = ({ booking, keys, ...day }: DayTick): readonly string[] =>
  keys.map((key) => tickKey(day, booking, key));

/**
 * All keys under which a booking's guest may have been ticked: besides their own, their waiver's (as a walk-in,
 * attached since) and their place's (before they signed).
 */
export const keysOfGuest = ({
  key,
  waiverId,
  placeKey,
}: Pick<DayGuest, 'key' | 'waiverId' | 'placeKey'>): readonly string[] => [
  ...new Set([
    key,
    ...(waiverId === undefined ? [] : [`waiver:${waiverId}`]),
    ...(placeKey === undefined ? [] : [placeKey]),
  ]),
];

interface Person {
  readonly key: string;
  readonly arrival: { readonly at: string; readonly by: string } | null;
}

function ticked<Each extends Person>(person: Each, arrived: boolean | undefined, now: string) {
  if (arrived === undefined || arrived === (person.arrival !== null)) return person;
  return { ...person, arrival: arrived ? { at: now, by: '' } : null };
}

/** A day with pending ticks applied, so that a response from before they were stored does not undo them. */
export function withTicks(day: Day, ticks: PendingTicks, now: string = serviceNow().toISOString()): Day {
  if (ticks.size === 0) return day;
  const hasArrived = ({ arrival }: Person) => arrival !== null;
  const tickOf = (booking: Tick['booking'], { key }: Person) => ticks.get(tickKey(day, booking, key));
  const bookings = day.bookings.map((booking) => {
    if (booking.guests === null) return booking;
    const guests = booking.guests.map((guest) => ticked(guest, tickOf(booking, guest), now));
    if (guests.every((guest, index) => guest === booking.guests?.[index])) return booking;
    return { ...booking, guests, arrived: guests.filter(hasArrived).length };
  });
  const walkIns = day.walkIns?.map((walkIn) => ticked(walkIn, tickOf(undefined, walkIn), now)) ?? null;
  const change = (after: readonly DayBooking[], before: readonly DayBooking[]) =>
    after.reduce(
      (sum, { arrived, isCancelled }, index) =>
        isCancelled ? sum : sum + arrived - (before[index]?.arrived ?? 0),
      0,
    );
  const walkInsChange =
    (walkIns ?? []).filter(hasArrived).length - (day.walkIns ?? []).filter(hasArrived).length;
  const arrived = day.counts.arrived + change(bookings, day.bookings) + walkInsChange;
  return { ...day, bookings, walkIns, counts: { ...day.counts, arrived } };
}

// Ticks not stored yet: a response from before they were stored must not undo them.
const pending = new Map<string, boolean>();

/** While bookings are still being read. */
const readingEveryMs = 2_000;

const isReading = ({ sources, bookings }: Day) =>
  sources.some((source) => source.isReading) || bookings.some(({ fetchedAt }) => fetchedAt === null);

export const dayQuery = (pool: string, date: string) =>
  queryOptions({
    queryKey: ['day', pool, date],
    queryFn: async () =>
      withTicks(await call('GET', '/v1/admin/pools/:pool/days/:date', { params: { pool, date } }), pending),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isReading(state.data) ? readingEveryMs : boardRefreshMs,
  });

function store({ pool, date, booking, keys, arrived }: DayTick): Promise<unknown> {
  if (booking !== undefined) {
    const { bookingSystem, bookingId } = booking;
    return call('PUT', '/v1/admin/pools/:pool/days/:date/bookings/:booking_id/arrivals', {
      params: { pool, date, booking_id: bookingId },
      body: { bookingSystem, guests: [...keys], arrived },
    });
  }
  return Promise.all(
    keys.map((key) =>
      call('PUT', '/v1/admin/pools/:pool/days/:date/waivers/:id/arrival', {
        params: { pool, date, id: key.replace(/^waiver:/, '') },
        body: { arrived },
      }),
    ),
  );
}

/** Ticks guests optimistically; reverted if the host cannot store the tick. */
export function useTick(pool: string, date: string): (tick: Tick) => void {
  const queries = useQueryClient();
  const toast = useToast();
  const { mutate } = useMutation({
    // One at a time: a tick and the untick right after it must be stored in that order.
    scope: { id: 'arrivals' },
    // The tick has its day: it may be stored when another is shown.
    mutationFn: store,
    onError: (error) => toast(error.message),
    onSettled(_data, _error, tick) {
      for (const key of keysOfTick(tick)) if (pending.get(key) === tick.arrived) pending.delete(key);
      // Also cancels a request that began before the tick was stored.
      return queries.invalidateQueries({ queryKey: dayQuery(tick.pool, tick.date).queryKey });
    },
  });
  return useCallback(
    (tick) => {
      const ofDay = { ...tick, pool, date };
      for (const key of keysOfTick(ofDay)) pending.set(key, tick.arrived);
      queries.setQueryData(dayQuery(pool, date).queryKey, (day) => day && withTicks(day, pending));
      mutate(ofDay);
    },
    [queries, pool, date, mutate],
  );
}

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call } from '../../api/client.ts';
import { boardRefreshMs } from '../../api/queries.ts';
import type { Day } from '../../api/resources.ts';
import { useToast } from '../../components/notice.tsx';
import { type DayTick, keysOfTick, type Tick, withTicks } from './ticks.ts';

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

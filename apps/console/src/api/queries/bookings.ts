import { queryOptions } from '@tanstack/react-query';
import { endOfDay, startOfDay } from '../../components/days.ts';
import { call } from '../client.ts';
import { pagedList } from './lists.ts';

/** @param isExplained - with how it was read, for those who may see that */
export const bookingQuery = (
  pool: string,
  bookingId: string,
  bookingSystem: string | undefined,
  isExplained: boolean,
) =>
  queryOptions({
    queryKey: ['booking', pool, bookingId, bookingSystem, isExplained],
    queryFn: () =>
      call('GET', '/v1/pools/:pool/bookings/:booking_id', {
        params: { pool, booking_id: bookingId },
        query: { bookingSystem, ...(isExplained ? { explain: 'true' } : {}) },
      }),
    retry: false,
    staleTime: 30_000,
  });

/** A day begins at midnight where the viewer is. */
export const bookingsOfDayQuery = (pool: string, day: string, bookingSystem: string | undefined) =>
  pagedList(
    ['bookings', pool, day, bookingSystem],
    ({ cursor }) => {
      const query = { from: startOfDay(day), until: endOfDay(day), bookingSystem, cursor };
      return call('GET', '/v1/pools/:pool/bookings', { params: { pool }, query });
    },
    { retry: false, staleTime: 60_000 },
  );

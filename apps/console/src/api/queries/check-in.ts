import { queryOptions } from '@tanstack/react-query';
import { refreshEveryMs } from '../../live/live-state.ts';
import { api } from '../client.ts';
import { dataOf } from './data-of.ts';
import { pagedList, whileOnFirstPage, wholeList } from './lists.ts';

/** Of every list of links of a pool. */
export const checkInLinksKey = (pool: string) => ['check-in links', pool];

export const linksOfBookingQuery = (pool: string, bookingId: string) =>
  wholeList([...checkInLinksKey(pool), 'of booking', bookingId], (page) =>
    dataOf(
      api.GET('/v1/pools/{pool}/check-in-links', {
        params: { path: { pool }, query: { ...page, bookingId } },
      }),
    ),
  );

export const deskLinksQuery = (pool: string) =>
  wholeList([...checkInLinksKey(pool), 'of desk'], (page) =>
    dataOf(
      api.GET('/v1/pools/{pool}/check-in-links', {
        params: { path: { pool }, query: { ...page, desk: 'true' } },
      }),
    ),
  );

/** The link that a booking has from the first time it is asked for. Not cached: it may be revoked meanwhile. */
export const bookingLinkQuery = (pool: string, bookingSystem: string, bookingId: string) =>
  queryOptions({
    queryKey: ['booking link', pool, bookingSystem, bookingId],
    queryFn: () =>
      dataOf(
        api.POST('/v1/admin/pools/{pool}/bookings/{booking_id}/check-in-link', {
          params: { path: { pool, booking_id: bookingId }, query: { bookingSystem } },
        }),
      ),
    retry: false,
    gcTime: 0,
  });

export const kiosksQuery = (pool: string) =>
  wholeList(
    ['kiosks', pool],
    (query) => dataOf(api.GET('/v1/admin/pools/{pool}/kiosks', { params: { path: { pool }, query } })),
    refreshEveryMs,
  );

export const lateSigningsQuery = (pool: string) =>
  pagedList(
    ['late signings', pool],
    (query) => dataOf(api.GET('/v1/admin/pools/{pool}/late-signings', { params: { path: { pool }, query } })),
    { refetchInterval: whileOnFirstPage(refreshEveryMs) },
  );

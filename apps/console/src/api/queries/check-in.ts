import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';
import { pagedList, whileShort, wholeList } from './lists.ts';
import { refreshMs } from './refresh.ts';

/** Of every list of links of a pool. */
export const checkInLinksKey = (pool: string) => ['check-in links', pool];

export const linksOfBookingQuery = (pool: string, bookingId: string) =>
  wholeList([...checkInLinksKey(pool), 'of booking', bookingId], (page) =>
    call('GET', '/v1/pools/:pool/check-in-links', {
      params: { pool },
      query: { ...page, bookingId },
    }),
  );

export const deskLinksQuery = (pool: string) =>
  wholeList([...checkInLinksKey(pool), 'of desk'], (page) =>
    call('GET', '/v1/pools/:pool/check-in-links', {
      params: { pool },
      query: { ...page, desk: 'true' },
    }),
  );

/** The link that a booking has from the first time it is asked for. Not cached: it may be revoked meanwhile. */
export const bookingLinkQuery = (pool: string, bookingSystem: string, bookingId: string) =>
  queryOptions({
    queryKey: ['booking link', pool, bookingSystem, bookingId],
    queryFn: () =>
      call('POST', '/v1/admin/pools/:pool/bookings/:booking_id/check-in-link', {
        params: { pool, booking_id: bookingId },
        query: { bookingSystem },
      }),
    retry: false,
    gcTime: 0,
  });

export const kiosksQuery = (pool: string) =>
  wholeList(
    ['kiosks', pool],
    (query) => call('GET', '/v1/admin/pools/:pool/kiosks', { params: { pool }, query }),
    refreshMs,
  );

export const lateSigningsQuery = (pool: string) =>
  pagedList(
    ['late signings', pool],
    (query) => call('GET', '/v1/admin/pools/:pool/late-signings', { params: { pool }, query }),
    { refetchInterval: whileShort(refreshMs) },
  );

import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';

export const bookingSystemsQuery = queryOptions({
  queryKey: ['booking-systems'],
  queryFn: async () => (await call('GET', '/v1/admin/booking-systems')).items,
});

export const bookingSystemQuery = (name: string) =>
  queryOptions({
    queryKey: ['booking-system', name],
    queryFn: () =>
      call('GET', '/v1/admin/booking-systems/:booking_system', { params: { booking_system: name } }),
  });

export const installationsQuery = (pool: string) =>
  queryOptions({
    queryKey: ['installations', pool],
    queryFn: async () =>
      (await call('GET', '/v1/admin/pools/:pool/installations', { params: { pool } })).items,
  });

export const checkQuery = (pool: string, bookingSystem: string) =>
  queryOptions({
    queryKey: ['check', pool, bookingSystem],
    queryFn: () =>
      call('GET', '/v1/admin/pools/:pool/installations/:booking_system/check', {
        params: { pool, booking_system: bookingSystem },
      }),
  });

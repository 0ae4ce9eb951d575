import { queryOptions } from '@tanstack/react-query';
import { api } from '../client.ts';
import { dataOf } from './data-of.ts';

export const bookingSystemsQuery = queryOptions({
  queryKey: ['booking-systems'],
  queryFn: async () => (await dataOf(api.GET('/v1/admin/booking-systems'))).items,
});

export const bookingSystemQuery = (name: string) =>
  queryOptions({
    queryKey: ['booking-system', name],
    queryFn: () =>
      dataOf(
        api.GET('/v1/admin/booking-systems/{booking_system}', { params: { path: { booking_system: name } } }),
      ),
  });

export const installationsQuery = (pool: string) =>
  queryOptions({
    queryKey: ['installations', pool],
    queryFn: async () =>
      (await dataOf(api.GET('/v1/admin/pools/{pool}/installations', { params: { path: { pool } } }))).items,
  });

export const checkQuery = (pool: string, bookingSystem: string) =>
  queryOptions({
    queryKey: ['check', pool, bookingSystem],
    queryFn: () =>
      dataOf(
        api.GET('/v1/admin/pools/{pool}/installations/{booking_system}/check', {
          params: { path: { pool, booking_system: bookingSystem } },
        }),
      ),
  });

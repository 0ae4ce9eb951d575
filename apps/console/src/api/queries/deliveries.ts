import { queryOptions } from '@tanstack/react-query';
import { refreshEveryMs } from '../../live/live-state.ts';
import { api } from '../client.ts';
import { sinceOf, type WithPeriod } from '../periods.ts';
import type { DeliveryFilter } from '../resources.ts';
import { dataOf } from './data-of.ts';
import { pagedList, whileOnFirstPage } from './lists.ts';

export const deliveriesQuery = ({ period, ...filter }: WithPeriod<DeliveryFilter>) =>
  pagedList(
    ['deliveries', { ...filter, period }],
    (page) => {
      const query = { ...filter, since: sinceOf(period), ...page };
      return dataOf(api.GET('/v1/admin/deliveries', { params: { query } }));
    },
    { refetchInterval: whileOnFirstPage(refreshEveryMs) },
  );

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: () => dataOf(api.GET('/v1/admin/deliveries/{id}', { params: { path: { id } } })),
    // A final delivery can be retried by others, so it is refreshed, too.
    refetchInterval: refreshEveryMs,
  });

export const laneQuery = (id: string) =>
  queryOptions({
    queryKey: ['lane', id],
    queryFn: () => dataOf(api.GET('/v1/admin/deliveries/{id}/lane', { params: { path: { id } } })),
    refetchInterval: refreshEveryMs,
  });

export const recoveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['recovery', id],
    queryFn: () => dataOf(api.GET('/v1/admin/recoveries/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 500 : false),
  });

import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';
import { sinceOf, type WithPeriod } from '../periods.ts';
import type { DeliveryFilter } from '../resources.ts';
import { pagedList, whileShort } from './lists.ts';
import { refreshMs } from './refresh.ts';

export const deliveriesQuery = ({ period, ...filter }: WithPeriod<DeliveryFilter>) =>
  pagedList(
    ['deliveries', { ...filter, period }],
    (page) => {
      const query = { ...filter, since: sinceOf(period), ...page };
      return call('GET', '/v1/admin/deliveries', { query });
    },
    { refetchInterval: whileShort(refreshMs) },
  );

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', id],
    queryFn: () => call('GET', '/v1/admin/deliveries/:id', { params: { id } }),
    // A final delivery can be retried by others, so it is refreshed, too.
    refetchInterval: refreshMs,
  });

export const laneQuery = (id: string) =>
  queryOptions({
    queryKey: ['lane', id],
    queryFn: () => call('GET', '/v1/admin/deliveries/:id/lane', { params: { id } }),
    refetchInterval: refreshMs,
  });

export const recoveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['recovery', id],
    queryFn: () => call('GET', '/v1/admin/recoveries/:id', { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 500 : false),
  });

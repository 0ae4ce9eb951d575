import { queryOptions } from '@tanstack/react-query';
import { refreshEveryMs } from '../../live/live-state.ts';
import { api } from '../client.ts';
import type { HealthWindow } from '../resources.ts';
import { dataOf } from './data-of.ts';
import { limit, wholeList } from './lists.ts';

export const destinationsQuery = wholeList(
  ['destinations'],
  (query) => dataOf(api.GET('/v1/admin/destinations', { params: { query } })),
  refreshEveryMs,
);

export const destinationHealthQuery = (pool: string | undefined, window: HealthWindow) =>
  queryOptions({
    queryKey: ['destination-health', pool, window],
    queryFn: () =>
      dataOf(api.GET('/v1/admin/destinations/health', { params: { query: { pool, window, limit } } })),
    // The hosts count every few seconds, and a bucket lasts an hour.
    staleTime: 15_000,
    refetchInterval: 60_000,
  });

import { queryOptions } from '@tanstack/react-query';
import { refreshEveryMs } from '../../live/live-state.ts';
import { api } from '../client.ts';
import type { HealthWindow } from '../resources.ts';
import { dataOf } from './data-of.ts';
import { readPages, wholeList } from './lists.ts';

export const destinationsQuery = wholeList(
  ['destinations'],
  (query) => dataOf(api.GET('/v1/admin/destinations', { params: { query } })),
  refreshEveryMs,
);

export const destinationHealthQuery = (pool: string | undefined, window: HealthWindow) =>
  queryOptions({
    queryKey: ['destination-health', pool, window],
    queryFn: async () => {
      const pages = await readPages((page) =>
        dataOf(api.GET('/v1/admin/destinations/health', { params: { query: { pool, window, ...page } } })),
      );
      return { ...pages[0], items: pages.flatMap(({ items }) => items) };
    },
    // The hosts count every few seconds, and a bucket lasts an hour.
    staleTime: 15_000,
    refetchInterval: 60_000,
  });

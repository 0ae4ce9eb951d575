import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';
import type { HealthWindow } from '../resources.ts';
import { readPages, wholeList } from './lists.ts';
import { refreshMs } from './refresh.ts';

export const destinationsQuery = wholeList(
  ['destinations'],
  (query) => call('GET', '/v1/admin/destinations', { query }),
  refreshMs,
);

export const destinationHealthQuery = (pool: string | undefined, window: HealthWindow) =>
  queryOptions({
    queryKey: ['destination-health', pool, window],
    queryFn: async () => {
      const pages = await readPages((page) =>
        call('GET', '/v1/admin/destinations/health', { query: { pool, window, ...page } }),
      );
      return { ...pages[0], items: pages.flatMap(({ items }) => items) };
    },
    // The hosts count every few seconds, and a bucket lasts an hour.
    staleTime: 15_000,
    refetchInterval: 60_000,
  });

import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';
import type { OverviewWindow } from '../resources.ts';
import { refreshMs } from './refresh.ts';

export const overviewQuery = (pool: string | undefined, window: OverviewWindow) =>
  queryOptions({
    queryKey: ['overview', pool, window],
    queryFn: () => call('GET', '/v1/admin/overview', { query: { pool, window } }),
    refetchInterval: refreshMs,
  });

export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: () => call('GET', '/v1/admin/first-steps'),
});

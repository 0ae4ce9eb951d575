import { queryOptions } from '@tanstack/react-query';
import { refreshEveryMs } from '../../live/live-state.ts';
import { api } from '../client.ts';
import type { OverviewWindow } from '../resources.ts';
import { dataOf } from './data-of.ts';

export const overviewQuery = (pool: string | undefined, window: OverviewWindow) =>
  queryOptions({
    queryKey: ['overview', pool, window],
    queryFn: () => dataOf(api.GET('/v1/admin/overview', { params: { query: { pool, window } } })),
    refetchInterval: refreshEveryMs,
  });

export const firstStepsQuery = queryOptions({
  queryKey: ['first-steps'],
  queryFn: () => dataOf(api.GET('/v1/admin/first-steps')),
});

import { queryOptions } from '@tanstack/react-query';
import { pollEveryMs } from '../../live/live-state.ts';
import { api } from '../client.ts';
import { dataOf } from './data-of.ts';
import { wholeList } from './lists.ts';

export const alertsQuery = wholeList(['alerts'], (query) =>
  dataOf(api.GET('/v1/admin/alerts', { params: { query } })),
);

const shownSentAlerts = 30;

export const sentAlertsQuery = queryOptions({
  queryKey: ['sent-alerts'],
  queryFn: async () =>
    (await dataOf(api.GET('/v1/admin/sent-alerts', { params: { query: { limit: shownSentAlerts } } }))).items,
  refetchInterval: pollEveryMs,
});

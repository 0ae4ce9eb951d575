import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';
import { wholeList } from './lists.ts';
import { refreshMs } from './refresh.ts';

export const alertsQuery = wholeList(['alerts'], (query) => call('GET', '/v1/admin/alerts', { query }));

const shownSentAlerts = 30;

export const sentAlertsQuery = queryOptions({
  queryKey: ['sent-alerts'],
  queryFn: async () =>
    (await call('GET', '/v1/admin/sent-alerts', { query: { limit: shownSentAlerts } })).items,
  refetchInterval: refreshMs,
});

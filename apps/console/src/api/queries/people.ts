import { pollEveryMs } from '../../live/live-state.ts';
import { api } from '../client.ts';
import { sinceOf, type WithPeriod } from '../periods.ts';
import type { AuditFilter } from '../resources.ts';
import { dataOf } from './data-of.ts';
import { pagedList, whileOnFirstPage, wholeList } from './lists.ts';

export const credentialsQuery = wholeList(['credentials'], (query) =>
  dataOf(api.GET('/v1/admin/credentials', { params: { query } })),
);

export const sessionsQuery = wholeList(['sessions'], (query) =>
  dataOf(api.GET('/v1/admin/sessions', { params: { query } })),
);

export const auditQuery = ({ period, ...filter }: WithPeriod<AuditFilter>) =>
  pagedList(
    ['audit', { ...filter, period }],
    (page) => {
      const query = { ...filter, since: sinceOf(period), ...page };
      return dataOf(api.GET('/v1/admin/audit', { params: { query } }));
    },
    { refetchInterval: whileOnFirstPage(pollEveryMs) },
  );

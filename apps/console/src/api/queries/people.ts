import { pollEveryMs } from '../../live/live-state.ts';
import { api } from '../client.ts';
import type { AuditFilter } from '../resources.ts';
import { dataOf } from './data-of.ts';
import { pagedList, whileOnFirstPage, wholeList } from './lists.ts';

export const credentialsQuery = wholeList(['credentials'], (query) =>
  dataOf(api.GET('/v1/admin/credentials', { params: { query } })),
);

export const sessionsQuery = wholeList(['sessions'], (query) =>
  dataOf(api.GET('/v1/admin/sessions', { params: { query } })),
);

export const auditQuery = (filter: AuditFilter) =>
  pagedList(
    ['audit', filter],
    (page) => dataOf(api.GET('/v1/admin/audit', { params: { query: { ...filter, ...page } } })),
    { refetchInterval: whileOnFirstPage(pollEveryMs) },
  );

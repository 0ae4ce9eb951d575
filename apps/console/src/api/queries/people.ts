import { call } from '../client.ts';
import { sinceOf, type WithPeriod } from '../periods.ts';
import type { AuditFilter } from '../resources.ts';
import { pagedList, whileShort, wholeList } from './lists.ts';
import { refreshMs } from './refresh.ts';

export const credentialsQuery = wholeList(['credentials'], (query) =>
  call('GET', '/v1/admin/credentials', { query }),
);

export const sessionsQuery = wholeList(['sessions'], (query) => call('GET', '/v1/admin/sessions', { query }));

export const auditQuery = ({ period, ...filter }: WithPeriod<AuditFilter>) =>
  pagedList(
    ['audit', { ...filter, period }],
    (page) => {
      const query = { ...filter, since: sinceOf(period), ...page };
      return call('GET', '/v1/admin/audit', { query });
    },
    { refetchInterval: whileShort(refreshMs) },
  );

import { call } from '../client.ts';
import { wholeList } from './lists.ts';
import { refreshMs } from './refresh.ts';

export const destinationsQuery = wholeList(
  ['destinations'],
  (query) => call('GET', '/v1/admin/destinations', { query }),
  refreshMs,
);

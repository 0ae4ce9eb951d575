import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';
import { limit, wholeList } from './lists.ts';

export const poolsQuery = wholeList(['pools'], (query) => call('GET', '/v1/admin/pools', { query }));

export const accessTokensQuery = (pool: string) =>
  wholeList(['access-tokens', pool], (query) =>
    call('GET', '/v1/admin/pools/:pool/access-tokens', { params: { pool }, query }),
  );

export const webhooksQuery = (pool: string) =>
  queryOptions({
    queryKey: ['webhooks', pool],
    queryFn: async () => {
      const { items } = await call('GET', '/v1/admin/pools/:pool/webhooks', {
        params: { pool },
        query: { limit },
      });
      return items;
    },
  });

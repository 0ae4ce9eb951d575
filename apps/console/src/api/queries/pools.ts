import { queryOptions } from '@tanstack/react-query';
import { api } from '../client.ts';
import { dataOf } from './data-of.ts';
import { limit, wholeList } from './lists.ts';

export const poolsQuery = wholeList(['pools'], (query) =>
  dataOf(api.GET('/v1/admin/pools', { params: { query } })),
);

export const accessTokensQuery = (pool: string) =>
  wholeList(['access-tokens', pool], (query) =>
    dataOf(api.GET('/v1/admin/pools/{pool}/access-tokens', { params: { path: { pool }, query } })),
  );

export const webhooksQuery = (pool: string) =>
  queryOptions({
    queryKey: ['webhooks', pool],
    queryFn: async () => {
      const params = { path: { pool }, query: { limit } };
      return (await dataOf(api.GET('/v1/admin/pools/{pool}/webhooks', { params }))).items;
    },
  });

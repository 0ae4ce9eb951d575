import { queryOptions } from '@tanstack/react-query';
import { api } from '../client.ts';
import { dataOf } from './data-of.ts';
import { wholeList } from './lists.ts';

export const formsQuery = (pool: string) =>
  wholeList(['forms', pool], (query) =>
    dataOf(api.GET('/v1/admin/pools/{pool}/forms', { params: { path: { pool }, query } })),
  );

export const formQuery = (pool: string, form: string) =>
  queryOptions({
    queryKey: ['form', pool, form],
    queryFn: () =>
      dataOf(api.GET('/v1/admin/pools/{pool}/forms/{form}', { params: { path: { pool, form } } })),
    // Who opens the editor begins with the draft as it is now.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const formVersionsQuery = (pool: string, form: string) =>
  wholeList(['form versions', pool, form], (query) =>
    dataOf(
      api.GET('/v1/admin/pools/{pool}/forms/{form}/versions', { params: { path: { pool, form }, query } }),
    ),
  );

export const formVersionQuery = (pool: string, form: string, version: number) =>
  queryOptions({
    queryKey: ['form version', pool, form, version],
    queryFn: () =>
      dataOf(
        api.GET('/v1/admin/pools/{pool}/forms/{form}/versions/{version}', {
          params: { path: { pool, form, version } },
        }),
      ),
    // It never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });

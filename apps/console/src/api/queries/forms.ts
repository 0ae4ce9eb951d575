import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';
import { wholeList } from './lists.ts';

export const formsQuery = (pool: string) =>
  wholeList(['forms', pool], (query) =>
    call('GET', '/v1/admin/pools/:pool/forms', { params: { pool }, query }),
  );

export const formQuery = (pool: string, form: string) =>
  queryOptions({
    queryKey: ['form', pool, form],
    queryFn: () => call('GET', '/v1/admin/pools/:pool/forms/:form', { params: { pool, form } }),
    // Who opens the editor begins with the draft as it is now.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const formVersionsQuery = (pool: string, form: string) =>
  wholeList(['form versions', pool, form], (query) =>
    call('GET', '/v1/admin/pools/:pool/forms/:form/versions', { params: { pool, form }, query }),
  );

export const formVersionQuery = (pool: string, form: string, version: number) =>
  queryOptions({
    queryKey: ['form version', pool, form, version],
    queryFn: () =>
      call('GET', '/v1/admin/pools/:pool/forms/:form/versions/:version', {
        params: { pool, form, version },
      }),
    // It never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });

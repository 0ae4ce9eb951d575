import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';
import type { WaiverFilter } from '../resources.ts';
import { pagedList, whileShort } from './lists.ts';
import { refreshMs } from './refresh.ts';

/** The waivers that changed last come first, and are kept up to date, unless they are searched. */
export const waiversQuery = (pool: string, filter: WaiverFilter) =>
  pagedList(
    [filter.search === undefined ? 'waivers' : 'waiver search', pool, filter],
    (page) => {
      const order = filter.search === undefined ? ({ order: 'newest' } as const) : {};
      const query = { ...filter, ...order, ...page };
      return call('GET', '/v1/pools/:pool/waivers', { params: { pool }, query });
    },
    {
      placeholderData: keepPreviousData,
      refetchInterval: filter.search === undefined ? whileShort(refreshMs) : () => false,
    },
  );

export const waiverQuery = (pool: string, id: string) =>
  queryOptions({
    queryKey: ['waiver', pool, id],
    queryFn: () => call('GET', '/v1/pools/:pool/waivers/:id', { params: { pool, id } }),
    refetchInterval: refreshMs,
  });

export const waiverVersionsQuery = (pool: string, id: string, version: number) =>
  // Another version of the record has another list.
  pagedList(['waiver versions', pool, id, version], (query) =>
    call('GET', '/v1/admin/pools/:pool/waivers/:id/versions', { params: { pool, id }, query }),
  );

/** @param version of the waiver: what is erased or voided is read again */
export const signingQuery = (pool: string, id: string, version: number) =>
  queryOptions({
    queryKey: ['signing', pool, id, version],
    queryFn: () => call('GET', '/v1/admin/pools/:pool/waivers/:id/signing', { params: { pool, id } }),
    // Until its record is in the chain, which takes seconds.
    refetchInterval: ({ state }) => (state.data?.seal.number === null ? 2_000 : false),
  });

export const erasedWaiversQuery = (pool: string) =>
  pagedList(
    ['erased waivers', pool],
    (query) => call('GET', '/v1/admin/pools/:pool/erased-waivers', { params: { pool }, query }),
    { refetchInterval: whileShort(refreshMs) },
  );

export const unmatchedWaiversQuery = (pool: string) =>
  pagedList(
    ['unmatched waivers', pool],
    (query) => call('GET', '/v1/admin/pools/:pool/unmatched-waivers', { params: { pool }, query }),
    { refetchInterval: whileShort(refreshMs) },
  );

import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { dataOf } from '../../api/queries.ts';

/** The booking of a link that a guest shows. Not cached: the link may be revoked at any time. */
export const scannedLinkQuery = (pool: string, token: string) =>
  queryOptions({
    queryKey: ['scanned link', pool, token],
    queryFn: () =>
      dataOf(
        api.POST('/v1/admin/pools/{pool}/check-in-links/find', {
          params: { path: { pool } },
          body: { token },
        }),
      ),
    retry: false,
    gcTime: 0,
  });

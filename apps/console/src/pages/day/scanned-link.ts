import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** The booking of a link that a guest shows. Not cached: the link may be revoked at any time. */
export const scannedLinkQuery = (pool: string, token: string) =>
  queryOptions({
    queryKey: ['scanned link', pool, token],
    queryFn: () =>
      call('POST', '/v1/admin/pools/:pool/check-in-links/find', {
        params: { pool },
        body: { token },
      }),
    retry: false,
    gcTime: 0,
  });

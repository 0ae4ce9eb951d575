import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';
import { pagedList, whileShort } from './lists.ts';
import { refreshMs } from './refresh.ts';

export const invitationsQuery = (pool: string) =>
  queryOptions({
    queryKey: ['invitations', pool],
    queryFn: () => call('GET', '/v1/admin/pools/:pool/invitations', { params: { pool } }),
  });

/** Of every list of messages to a pool's guests. */
export const sentInvitationsKey = (pool: string) => ['sent invitations', pool];

export const sentInvitationsQuery = (pool: string, bookingId: string | undefined) =>
  pagedList(
    [...sentInvitationsKey(pool), bookingId],
    (page) =>
      call('GET', '/v1/admin/pools/:pool/invitations/sent', {
        params: { pool },
        query: { ...page, bookingId },
      }),
    { refetchInterval: whileShort(refreshMs) },
  );

export const invitationRefusalsQuery = (pool: string) =>
  pagedList(['invitation refusals', pool], (query) =>
    call('GET', '/v1/admin/pools/:pool/invitations/refusals', { params: { pool }, query }),
  );

import {
  checkAccess,
  fetchBooking,
  judgeAnswer,
  listBookings,
  parseInbound,
  statusMap,
  webhooks,
} from '@waiver-service/octo-kit';
import { defineBookingSystem } from '@waiver-service/plugin-kit';

/** Peek Pro (OCTO API): reads bookings only. What an update does to omitted fields is not documented. */
export default defineBookingSystem({
  installName: 'peek',
  displayName: 'Peek Pro',
  capabilities: {
    takes: [],
    void: false,
  },
  statusMap,
  url: () => 'https://octo.peek.com/integrations/octo',
  headers: ({ account }) => ({
    Authorization: `Bearer ${account.apiKey}`,
    // Peek requires it even for a DELETE, which has no body.
    'Content-Type': 'application/json',
  }),
  judgeAnswer,
  fetchBooking,
  listBookings,
  // Peek documents no `GET /supplier`.
  checkAccess: (context) => checkAccess(context, 'products'),
  parseInbound,
  webhooks,
});

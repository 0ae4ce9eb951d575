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

/** Peek Pro (OCTO API): reads bookings. Its documents do not say what an update does to the fields that it leaves out. */
export default defineBookingSystem({
  installName: 'peek',
  displayName: 'Peek Pro',
  capabilities: {
    forms: ['native'],
    guestUpdate: false,
    takes: [],
    void: false,
    inbound: 'native',
    lists: true,
    checksAccess: true,
  },
  statusMap,
  url: () => 'https://octo.peek.com/integrations/octo',
  headers: ({ account }) => ({
    Authorization: `Bearer ${account.apiKey}`,
    // Peek requires it of a DELETE too, which has no body.
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

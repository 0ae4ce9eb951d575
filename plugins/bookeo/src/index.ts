import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { inboundAuthenticity, parseInbound, webhooks } from './inbound.ts';
import { changesSince, checkAccess, listBookings } from './list.ts';
import { fetchBooking, statusMap } from './read.ts';
import { accountSchema, settingsSchema } from './settings.ts';
import { pushWaiver } from './write.ts';

/** Bookeo (API v2): reads bookings, and writes a line for each waiver into a custom field of the participant who signed. */
export default defineBookingSystem({
  installName: 'bookeo',
  displayName: 'Bookeo',
  // People and bookings are read, changed and written back as a whole, and one person may hold two places.
  writeUnit: 'booking',
  capabilities: {
    takes: ['fields'],
    void: true,
    // Bookeo's documentation asks not to poll: only for when webhook calls were lost.
    changes: {},
  },
  statusMap,
  settingsSchema,
  accountSchema,
  url: () => 'https://api.bookeo.com/v2',
  headers: ({ settings, account }) => ({
    'X-Bookeo-apiKey': account.apiKey,
    'X-Bookeo-secretKey': settings.secretKey,
  }),
  fetchBooking,
  listBookings,
  changesSince,
  checkAccess,
  pushWaiver,
  inboundAuthenticity,
  parseInbound,
  webhooks,
});

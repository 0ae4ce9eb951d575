import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { checkAccess } from './check-access.ts';
import { fetchBooking } from './fetch-booking.ts';
import { inboundAuthenticity, parseInbound } from './inbound.ts';
import { changesSince, listBookings } from './list-bookings.ts';
import { statusMap } from './native/read-booking.ts';
import { type Account, accountSchema, type Settings, settingsSchema } from './settings.ts';
import { webhooks } from './webhooks.ts';
import { pushWaiver } from './writing/push-waiver.ts';

/** Bookeo (API v2): reads bookings, and writes a line for each waiver into a custom field of the participant who signed. */
const bookeo: BookingSystemPlugin<Settings, Account> = defineBookingSystem({
  installName: 'bookeo',
  displayName: 'Bookeo',
  authHeaderName: 'X-Bookeo-apiKey',
  guestUpdateAuthHeaderName: 'X-Bookeo-apiKey',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  // People and bookings are read, changed and written back as a whole, and one person may hold two places.
  writeUnit: 'booking',
  capabilities: {
    forms: ['native'],
    guestUpdate: true,
    takes: ['fields'],
    void: true,
    inbound: 'native',
    lists: true,
    // Its documents ask not to poll, so only when webhook calls were lost.
    changes: {},
    checksAccess: true,
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

export default bookeo;

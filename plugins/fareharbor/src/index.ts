import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { readInbound } from './inbound.ts';
import { statusMap } from './native/read-booking.ts';
import { fetchBooking } from './rebookings.ts';
import { accountSchema, settingsSchema } from './settings.ts';
import { writeNoteLine } from './write-note-line.ts';

/** FareHarbor, by its external API v1: reads bookings, keeps a line for each waiver in a booking's note. */
export default defineBookingSystem({
  installName: 'fareharbor',
  displayName: 'FareHarbor',
  authHeaderName: 'X-FareHarbor-API-User',
  guestUpdateAuthHeaderName: 'X-FareHarbor-API-User',
  pathShape: 'path',
  guestId: 'none',
  // The note is one text: it is read, changed and written back.
  writeUnit: 'booking',
  capabilities: {
    forms: ['native'],
    guestUpdate: true,
    takes: ['notes'],
    void: true,
    inbound: 'native',
    // In Guest Updates: each is two requests, three where the booking was moved. FareHarbor allows 30 requests a second
    // and 3,000 in five minutes, reads among them.
    requestLimit: { requests: 3, perSeconds: 1 },
  },
  statusMap,
  settingsSchema,
  accountSchema,
  url: () => 'https://fareharbor.com/api/external/v1',
  headers: ({ settings, account }) => ({
    'X-FareHarbor-API-App': settings.appKey,
    'X-FareHarbor-API-User': account.apiKey,
  }),
  fetchBooking,
  pushWaiver: writeNoteLine,
  parseInbound: readInbound,
});

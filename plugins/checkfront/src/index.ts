import { defineBookingSystem, noSettingsSchema } from '@waiver-service/plugin-kit';
import { fetchBooking } from './fetch-booking.ts';
import { readInbound } from './inbound.ts';
import { statusMap } from './native/read-booking.ts';
import { accountSchema } from './settings.ts';
import { writeNote } from './write-note.ts';

/** Checkfront, by its API v3: reads bookings in the vendor's three shapes, adds a note for each change of a waiver. */
export default defineBookingSystem({
  installName: 'checkfront',
  displayName: 'Checkfront',
  authHeaderName: 'Authorization',
  guestUpdateAuthHeaderName: 'Authorization',
  pathShape: 'path',
  guestId: 'none',
  // Notes are added, never written over: two waivers of one booking cannot take each other's place.
  writeUnit: 'waiver',
  capabilities: {
    forms: ['native'],
    guestUpdate: true,
    takes: ['notes'],
    void: false, // A note stays where it is: a void adds one that says so.
    inbound: 'native',
  },
  statusMap,
  settingsSchema: noSettingsSchema,
  accountSchema,
  url: ({ account: { host } }) => (host === undefined ? undefined : `https://${host}.checkfront.com/api/3.0`),
  headers: ({ account: { apiKey, apiSecret } }) => ({
    Authorization: `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`,
  }),
  fetchBooking,
  pushWaiver: writeNote,
  parseInbound: readInbound,
});

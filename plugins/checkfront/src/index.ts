import { defineBookingSystem, noSettingsSchema } from '@waiver-service/plugin-kit';
import { fetchBooking } from './fetch-booking.ts';
import { parseInbound } from './inbound.ts';
import { changesSince, checkAccess, listBookings } from './list-bookings.ts';
import { statusMap } from './native/read-booking.ts';
import { accountSchema } from './settings.ts';
import { pushWaiver } from './writing/push-waiver.ts';

/**
 * Checkfront: reads bookings in the three shapes of API v3, and guests by API v4 where the account has it. Adds a note for
 * each change of a waiver.
 */
export default defineBookingSystem({
  installName: 'checkfront',
  displayName: 'Checkfront',
  authHeaderName: 'Authorization',
  guestUpdateAuthHeaderName: 'Authorization',
  pathShape: 'path',
  guestId: 'none',
  // Notes are append-only, so that concurrent writes to one booking cannot overwrite each other.
  writeUnit: 'waiver',
  capabilities: {
    forms: ['native'],
    guestUpdate: true,
    takes: ['notes'],
    void: false, // Notes cannot be removed: a void adds another one.
    inbound: 'native',
    lists: true,
    changes: { pollEveryMs: 300_000 },
    checksAccess: true,
    aliases: true, // A booking has a code and a number.
  },
  statusMap,
  settingsSchema: noSettingsSchema,
  accountSchema,
  url: ({ account: { host } }) => (host === undefined ? undefined : `https://${host}.checkfront.com/api/3.0`),
  headers: ({ account: { apiKey, apiSecret } }) => ({
    Authorization: `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`,
  }),
  fetchBooking,
  listBookings,
  changesSince,
  checkAccess,
  pushWaiver,
  parseInbound,
});

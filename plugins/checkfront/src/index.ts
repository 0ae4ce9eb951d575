import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { accountSchema } from './account.ts';
import { parseInbound } from './inbound.ts';
import { changesSince, checkAccess, listBookings } from './list.ts';
import { fetchBooking, statusMap } from './read.ts';
import { pushWaiver } from './write.ts';

/**
 * Checkfront: reads bookings in API v3's three shapes, and guests through API v4 if the account has it. Adds a note for
 * each change to a waiver.
 */
export default defineBookingSystem({
  installName: 'checkfront',
  displayName: 'Checkfront',
  // Notes are append-only, so concurrent writes to one booking cannot overwrite each other.
  writeUnit: 'waiver',
  capabilities: {
    takes: ['notes'],
    void: false, // Notes cannot be removed: a void adds another one.
    changes: { pollEveryMs: 300_000 },
    aliases: true, // A booking has a code and a number.
  },
  statusMap,
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

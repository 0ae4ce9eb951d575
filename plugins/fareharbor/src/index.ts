import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { displayName, judgeAnswer } from './answers.ts';
import { parseInbound } from './inbound.ts';
import { fetchBooking, statusMap } from './read.ts';
import { accountSchema, settingsSchema } from './settings.ts';
import { pushWaiver } from './write.ts';

/** FareHarbor (external API v1): reads bookings, and writes a line for each waiver into the booking's note. */
export default defineBookingSystem({
  installName: 'fareharbor',
  displayName,
  capabilities: {
    takes: ['notes'],
    void: true,
    // A rebooked booking continues under another uuid.
    aliases: true,
    // Per partner, that is, per app key, which all installations share.
    requestLimits: {
      per: 'booking-system',
      windows: [
        { requests: 30, windowMs: 1_000 },
        { requests: 3_000, windowMs: 300_000 },
      ],
    },
  },
  statusMap,
  settingsSchema,
  accountSchema,
  accountIdField: 'shortname',
  url: () => 'https://fareharbor.com/api/external/v1',
  headers: ({ settings, account }) => ({
    'X-FareHarbor-API-App': settings.appKey,
    'X-FareHarbor-API-User': account.apiKey,
  }),
  judgeAnswer,
  fetchBooking,
  pushWaiver,
  parseInbound,
});

import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { displayName, judgeAnswer, statusMap } from './answers.ts';
import { authenticate } from './authenticate.ts';
import { inboundAuthenticity, parseInbound } from './inbound.ts';
import { checkAccess, listBookings } from './list.ts';
import { fetchBooking } from './read.ts';
import { accountSchema, settingsSchema } from './settings.ts';

/** Bókun: reads bookings only. What editing a participant does to omitted fields is not documented. */
export default defineBookingSystem({
  installName: 'bokun',
  displayName,
  capabilities: {
    takes: [],
    void: false,
    environments: ['live', 'test'],
    aliases: true, // A booking has a code and a number.
    requestLimits: { per: 'installation', windows: [{ requests: 400, windowMs: 60_000 }] },
  },
  statusMap,
  settingsSchema,
  accountSchema,
  url: ({ environment }) => (environment === 'test' ? 'https://api.bokuntest.com' : 'https://api.bokun.io'),
  authenticate,
  judgeAnswer,
  fetchBooking,
  listBookings,
  checkAccess,
  inboundAuthenticity,
  parseInbound,
});

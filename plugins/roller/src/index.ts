import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { accountSchema } from './account.ts';
import { displayName, judgeAnswer } from './answers.ts';
import { parseInbound, webhooks } from './inbound.ts';
import { checkAccess, fetchBooking, statusMap } from './read.ts';
import { session } from './requests.ts';
import { pushWaiver } from './write.ts';

/** ROLLER (REST API): reads bookings, and writes waivers into a booking's metadata and onto its tickets. */
export default defineBookingSystem({
  installName: 'roller',
  displayName,
  // A booking is read before it is written, and its metadata has room for few entries.
  writeUnit: 'booking',
  capabilities: {
    takes: ['fields'],
    void: true,
    aliases: true, // Guests and staff know a booking by its reference.
    environments: ['live', 'test'],
    requestLimits: { per: 'installation', windows: [{ requests: 600, windowMs: 60_000 }] },
  },
  statusMap,
  accountSchema,
  url: ({ environment }) =>
    environment === 'test' ? 'https://api.play.roller.app' : 'https://api.roller.app',
  session,
  judgeAnswer,
  fetchBooking,
  checkAccess,
  pushWaiver,
  parseInbound,
  webhooks,
});

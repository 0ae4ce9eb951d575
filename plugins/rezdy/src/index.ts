import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { accountSchema } from './account.ts';
import { displayName, judgeAnswer, statusMap } from './answers.ts';
import { parseInbound } from './inbound.ts';
import { changesSince, checkAccess, listBookings } from './list.ts';
import { fetchBooking } from './read.ts';
import { pushWaiver } from './write.ts';

/** Rezdy: reads bookings, and writes waivers into internal notes and participants' fields. */
export default defineBookingSystem({
  installName: 'rezdy',
  displayName,
  capabilities: {
    takes: ['notes', 'fields'],
    void: true,
    changes: { pollEveryMs: 300_000 },
    requestLimits: { per: 'installation', windows: [{ requests: 100, windowMs: 60_000 }] },
  },
  statusMap,
  accountSchema,
  url: () => 'https://api.rezdy.com/v1',
  headers: ({ account }) => ({ apiKey: account.apiKey }),
  judgeAnswer,
  fetchBooking,
  listBookings,
  changesSince,
  checkAccess,
  pushWaiver,
  parseInbound,
});

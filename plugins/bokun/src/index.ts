import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { accountSchema, type BokunAccount, type BokunSettings, settingsSchema } from './account.ts';
import { displayName, judgeAnswer } from './answers.ts';
import { authenticate } from './authenticate.ts';
import { inboundAuthenticity, parseInbound } from './inbound.ts';
import { checkAccess, listBookings } from './list-bookings.ts';
import { fetchBooking } from './native/read-booking.ts';
import { statusMap } from './native/status.ts';

/** Bókun: reads bookings. Its documents do not say what an edit of a participant does to what it leaves out. */
const bokun: BookingSystemPlugin<BokunSettings, BokunAccount> = defineBookingSystem<
  BokunSettings,
  BokunAccount
>({
  installName: 'bokun',
  displayName,
  authHeaderName: 'X-Bokun-Signature',
  guestUpdateAuthHeaderName: 'X-Bokun-Signature',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  capabilities: {
    forms: ['native'],
    guestUpdate: false,
    takes: [],
    void: false,
    inbound: 'native',
    environments: ['live', 'test'],
    lists: true,
    checksAccess: true,
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

export default bokun;

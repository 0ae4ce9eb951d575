import type { BookingSystemPlugin } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { z } from 'zod';
import { displayName, judgeAnswer } from './answers.ts';
import { parseInbound } from './inbound.ts';
import { fetchBooking, statusMap } from './native/read-booking.ts';
import { pushWaiver } from './writing/push-waiver.ts';

const timeZone = z.string().max(64).refine(kit.isTimeZone, 'a time zone such as Australia/Sydney');
const accountSchema = kit.installedAccountSchema.extend({
  timeZone: timeZone.optional().describe('The account’s (IANA), for items that come without UTC times.'),
});
type RezdyAccount = z.infer<typeof accountSchema>;

/** Rezdy: reads bookings, and writes waivers into internal notes and participants' fields. */
const rezdy: BookingSystemPlugin<kit.NoSettings, RezdyAccount> = kit.defineBookingSystem<
  kit.NoSettings,
  RezdyAccount
>({
  installName: 'rezdy',
  displayName,
  authHeaderName: 'apiKey',
  guestUpdateAuthHeaderName: 'apiKey',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  writeUnit: 'booking',
  capabilities: {
    forms: ['native'],
    guestUpdate: true,
    takes: ['notes', 'fields'],
    void: true,
    inbound: 'native',
    requestLimits: { per: 'installation', windows: [{ requests: 100, windowMs: 60_000 }] },
  },
  statusMap,
  settingsSchema: kit.noSettingsSchema,
  accountSchema,
  url: () => 'https://api.rezdy.com/v1',
  judgeAnswer,
  fetchBooking,
  pushWaiver,
  parseInbound,
});

export default rezdy;

import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem, type NoSettings, noSettingsSchema } from '@waiver-service/plugin-kit';
import { displayName, judgeAnswer } from './answers.ts';
import { fetchBooking } from './fetch-booking.ts';
import { parseInbound } from './inbound.ts';
import { changesSince, checkAccess, listBookings } from './list-bookings.ts';
import { statusMap } from './native/status.ts';
import { type Account, accountSchema } from './settings.ts';
import { pushWaiver } from './writing/push-waiver.ts';

/** Rezdy: reads bookings, and writes waivers into internal notes and participants' fields. */
const rezdy: BookingSystemPlugin<NoSettings, Account> = defineBookingSystem<NoSettings, Account>({
  installName: 'rezdy',
  displayName,
  authHeaderName: 'apiKey',
  guestUpdateAuthHeaderName: 'apiKey',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  // An order is read, changed and written back as a whole.
  writeUnit: 'booking',
  capabilities: {
    forms: ['native'],
    guestUpdate: true,
    takes: ['notes', 'fields'],
    void: true,
    inbound: 'native',
    lists: true,
    changes: { pollEveryMs: 300_000 },
    checksAccess: true,
    requestLimits: { per: 'installation', windows: [{ requests: 100, windowMs: 60_000 }] },
  },
  statusMap,
  settingsSchema: noSettingsSchema,
  accountSchema,
  url: () => 'https://api.rezdy.com/v1',
  judgeAnswer,
  fetchBooking,
  listBookings,
  changesSince,
  checkAccess,
  pushWaiver,
  parseInbound,
});

export default rezdy;

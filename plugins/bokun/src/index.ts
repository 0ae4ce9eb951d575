import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem, type NoSettings, noSettingsSchema } from '@waiver-service/plugin-kit';
import { accountSchema, type BokunAccount } from './account.ts';
import { displayName, judgeAnswer } from './answers.ts';
import { authenticate } from './authenticate.ts';
import { parseInbound } from './inbound.ts';
import { fetchBooking } from './native/read-booking.ts';
import { statusMap } from './native/status.ts';

/** Bókun: reads bookings. Its documents do not say what an edit of a participant does to what it leaves out. */
const bokun: BookingSystemPlugin<NoSettings, BokunAccount> = defineBookingSystem<NoSettings, BokunAccount>({
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
    requestLimits: { per: 'installation', windows: [{ requests: 400, windowMs: 60_000 }] },
  },
  statusMap,
  settingsSchema: noSettingsSchema,
  accountSchema,
  url: () => 'https://api.bokun.io',
  authenticate,
  judgeAnswer,
  fetchBooking,
  parseInbound,
});

export default bokun;

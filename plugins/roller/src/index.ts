import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem, type NoSettings, noSettingsSchema } from '@waiver-service/plugin-kit';
import { displayName, judgeAnswer } from './answers.ts';
import { checkAccess } from './check-access.ts';
import { fetchBooking } from './fetch-booking.ts';
import { parseInbound } from './inbound.ts';
import { statusMap } from './native/read-booking.ts';
import { session } from './session.ts';
import { type Account, accountSchema } from './settings.ts';
import { webhooks } from './webhooks.ts';
import { pushWaiver } from './writing/push-waiver.ts';

/** ROLLER (REST API): reads bookings, and writes waivers into a booking's metadata and onto its tickets. */
const roller: BookingSystemPlugin<NoSettings, Account> = defineBookingSystem<NoSettings, Account>({
  installName: 'roller',
  displayName,
  pathShape: 'path',
  guestId: 'booking-guest-id',
  // A booking is read before it is written, and its metadata has room for few entries.
  writeUnit: 'booking',
  capabilities: {
    forms: ['native'],
    guestUpdate: true,
    takes: ['fields'],
    void: true,
    inbound: 'native',
    aliases: true, // Guests and staff know a booking by its reference.
    environments: ['live', 'test'],
    checksAccess: true,
    requestLimits: { per: 'installation', windows: [{ requests: 600, windowMs: 60_000 }] },
  },
  statusMap,
  settingsSchema: noSettingsSchema,
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

export default roller;

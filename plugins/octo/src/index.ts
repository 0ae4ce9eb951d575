import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import { defineBookingSystem, installedAccountSchema } from '@waiver-service/plugin-kit';
import { displayName, judgeAnswer } from './answers.ts';
import { fetchBooking } from './fetch-booking.ts';
import { parseInbound } from './inbound.ts';
import { statusMap } from './native/status.ts';
import { type OctoSettings, octoHeaders, octoSettingsSchema } from './settings.ts';
import { pushWaiver } from './writing/push-waiver.ts';

/** Systems that implement OCTO: Ventrata, Peek Pro, Zaui, Bókun, Roller and others, distinguished by settings. */
const octo: BookingSystemPlugin<OctoSettings> = defineBookingSystem<OctoSettings, InstalledAccount>({
  installName: 'octo',
  displayName,
  authHeaderName: 'Authorization',
  guestUpdateAuthHeaderName: 'Authorization',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  writeUnit: 'booking',
  capabilities: {
    forms: ['native'],
    guestUpdate: true,
    takes: ['notes', 'fields'],
    void: true,
    inbound: 'native',
  },
  statusMap,
  settingsSchema: octoSettingsSchema,
  accountSchema: installedAccountSchema,
  headers: octoHeaders,
  judgeAnswer,
  fetchBooking,
  pushWaiver,
  parseInbound,
});

export default octo;

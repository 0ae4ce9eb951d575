import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import { fetchBooking, statusMap } from '@waiver-service/octo-kit';
import {
  defineBookingSystem,
  installedAccountSchema,
  type NoSettings,
  noSettingsSchema,
} from '@waiver-service/plugin-kit';
import { judgeAnswer } from './answers.ts';

/** Zaui (OCTO API): reads bookings. Its documents say that an update is not available, and name no webhooks. */
const zaui: BookingSystemPlugin<NoSettings> = defineBookingSystem<NoSettings, InstalledAccount>({
  installName: 'zaui',
  displayName: 'Zaui',
  authHeaderName: 'Authorization',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  capabilities: {
    forms: ['native'],
    guestUpdate: false,
    takes: [],
    void: false,
    inbound: 'none',
    requestLimits: { per: 'installation', windows: [{ requests: 65, windowMs: 60_000 }] },
  },
  statusMap,
  settingsSchema: noSettingsSchema,
  accountSchema: installedAccountSchema,
  url: () => 'https://api.zaui.io/octo',
  headers: ({ account }) => ({ Authorization: `Bearer ${account.apiKey}` }),
  judgeAnswer,
  fetchBooking,
});

export default zaui;

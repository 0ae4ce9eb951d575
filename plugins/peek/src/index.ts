import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import {
  checkAccess,
  fetchBooking,
  judgeAnswer,
  listBookings,
  parseInbound,
  statusMap,
  webhooks,
} from '@waiver-service/octo-kit';
import {
  defineBookingSystem,
  installedAccountSchema,
  type NoSettings,
  noSettingsSchema,
} from '@waiver-service/plugin-kit';

/** Peek Pro (OCTO API): reads bookings. Its documents do not say what an update does to the fields that it leaves out. */
const peek: BookingSystemPlugin<NoSettings> = defineBookingSystem<NoSettings, InstalledAccount>({
  installName: 'peek',
  displayName: 'Peek Pro',
  authHeaderName: 'Authorization',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  capabilities: {
    forms: ['native'],
    guestUpdate: false,
    takes: [],
    void: false,
    inbound: 'native',
    lists: true,
    checksAccess: true,
  },
  statusMap,
  settingsSchema: noSettingsSchema,
  accountSchema: installedAccountSchema,
  url: () => 'https://octo.peek.com/integrations/octo',
  headers: ({ account }) => ({
    Authorization: `Bearer ${account.apiKey}`,
    // Peek requires it of a DELETE too, which has no body.
    'Content-Type': 'application/json',
  }),
  judgeAnswer,
  fetchBooking,
  listBookings,
  // Peek documents no `GET /supplier`.
  checkAccess: (context) => checkAccess(context, 'products'),
  parseInbound,
  webhooks,
});

export default peek;

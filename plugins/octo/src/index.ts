import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import {
  checkAccess,
  fetchBooking,
  judgeAnswer,
  listBookings,
  parseInbound,
  pushWaiver,
  statusMap,
  webhooks,
} from '@waiver-service/octo-kit';
import { defineBookingSystem, installedAccountSchema } from '@waiver-service/plugin-kit';
import { type OctoSettings, octoHeaders, octoSettingsSchema } from './settings.ts';

/** Systems that implement OCTO and have no plugin of their own: Ventrata first of all, distinguished by settings. */
const octo: BookingSystemPlugin<OctoSettings> = defineBookingSystem<OctoSettings, InstalledAccount>({
  installName: 'octo',
  displayName: 'OCTO (Ventrata and others)',
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
    environments: ['live', 'test'],
    lists: true,
    checksAccess: true,
  },
  statusMap,
  settingsSchema: octoSettingsSchema,
  accountSchema: installedAccountSchema,
  headers: octoHeaders,
  judgeAnswer,
  fetchBooking,
  listBookings,
  checkAccess,
  pushWaiver,
  parseInbound,
  webhooks: { ...webhooks, isUsed: ({ settings }) => settings.webhooks === true },
});

export default octo;

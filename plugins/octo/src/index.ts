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
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { octoAccountSchema, octoHeaders, octoSettingsSchema } from './settings.ts';

/** Systems that implement OCTO and have no plugin: mainly Ventrata. Settings cover their differences. */
export default defineBookingSystem({
  installName: 'octo',
  displayName: 'OCTO (Ventrata and others)',
  capabilities: {
    takes: ['notes', 'fields', 'files'],
    void: true,
    environments: ['live', 'test'],
    permissions: ['changesUnitItems'],
  },
  statusMap,
  settingsSchema: octoSettingsSchema,
  accountSchema: octoAccountSchema,
  headers: octoHeaders,
  judgeAnswer,
  fetchBooking,
  listBookings,
  checkAccess,
  pushWaiver,
  parseInbound,
  webhooks: { ...webhooks, isUsed: ({ settings }) => settings.webhooks === true },
});

import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { fetchBooking } from './fetch-booking.ts';
import { readInbound } from './inbound.ts';
import { statusMap } from './native/status.ts';
import { type Account, accountSchema, type Settings, settingsSchema } from './settings.ts';

/** Xola, by its API: reads orders. Where a waiver could be written there, its public documents do not say. */
const xola: BookingSystemPlugin<Settings, Account> = defineBookingSystem({
  installName: 'xola',
  displayName: 'Xola',
  authHeaderName: 'X-API-KEY',
  guestUpdateAuthHeaderName: 'X-API-KEY',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  capabilities: { forms: ['native'], guestUpdate: false, takes: [], void: false, inbound: 'native' },
  statusMap,
  settingsSchema,
  accountSchema,
  url: () => 'https://xola.com/api',
  headers: ({ settings, account }) => ({
    'X-API-KEY': account.apiKey,
    'X-API-VERSION': settings.apiVersion,
  }),
  fetchBooking,
  parseInbound: readInbound,
});

export default xola;

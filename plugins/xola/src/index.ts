import type { BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { fetchBooking } from './fetch-booking.ts';
import { inboundAccount, inboundAuthenticity, parseInbound } from './inbound.ts';
import { statusMap } from './native/status.ts';
import { type Account, accountSchema, type Settings, settingsSchema } from './settings.ts';

/** Xola: reads orders. Its public documentation does not say where a waiver could be written. */
const xola: BookingSystemPlugin<Settings, Account> = defineBookingSystem({
  installName: 'xola',
  displayName: 'Xola',
  authHeaderName: 'X-API-KEY',
  guestUpdateAuthHeaderName: 'X-API-KEY',
  pathShape: 'path',
  guestId: 'booking-guest-id',
  capabilities: {
    forms: ['native'],
    guestUpdate: false,
    takes: [],
    void: false,
    inbound: 'native',
    inboundAddress: 'shared',
    requestLimits: { per: 'installation', windows: [{ requests: 900, windowMs: 1_800_000 }] },
  },
  statusMap,
  settingsSchema,
  accountSchema,
  url: () => 'https://xola.com/api',
  headers: ({ settings, account }) => ({
    'X-API-KEY': account.apiKey,
    'X-API-VERSION': settings.apiVersion,
  }),
  fetchBooking,
  inboundAuthenticity,
  inboundAccount,
  parseInbound,
});

export default xola;

import { defineBookingSystem } from '@waiver-service/plugin-kit';
import { statusMap } from './answers.ts';
import { inboundAccount, inboundAuthenticity, parseInbound } from './inbound.ts';
import { fetchBooking } from './read.ts';
import { accountSchema, settingsSchema } from './settings.ts';

/** Xola: reads orders only. Its public documentation does not say where a waiver could be written. */
export default defineBookingSystem({
  installName: 'xola',
  displayName: 'Xola',
  capabilities: {
    takes: [],
    void: false,
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

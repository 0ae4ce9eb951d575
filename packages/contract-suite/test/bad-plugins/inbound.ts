import type { BookingSystemPlugin, BookingSystemWebhooks, InstalledAccount } from '@waiver-service/core';
import { goodNativePlugin, nativeOptions } from '../good-native-plugin.ts';
import { goodVerifiedPlugin, isRecent, isSigned, verifiedOptions } from '../good-verified-plugin.ts';
import {
  goodWebhooks,
  goodWebhooksPlugin,
  listHooks,
  removeHooks,
  webhookOptions,
} from '../good-webhooks-plugin.ts';
import { type BadPlugin, type BadPlugins, withParts } from './alterations.ts';

const bad = (parts: Partial<BookingSystemPlugin>): BadPlugin => ({
  plugin: withParts(parts, goodVerifiedPlugin),
  options: verifiedOptions,
});

export const badInbound: BadPlugins = {
  'inbound/notices': {
    plugin: withParts({ parseInbound: () => ({ bookingIds: [] }) }, goodNativePlugin),
    options: nativeOptions,
  },
  'inbound/authentic': bad({
    inboundAuthenticity: (request) => {
      if (!isSigned(request)) return 'forged';
      return isRecent(request, 1_000) ? 'authentic' : 'stale';
    },
  }),
  'inbound/forged': bad({
    inboundAuthenticity: (request) => (isRecent(request) ? 'authentic' : 'stale'),
  }),
  'inbound/stale': bad({
    inboundAuthenticity: (request) => (isSigned(request) ? 'authentic' : 'forged'),
  }),
  'inbound/replayed': {
    ...bad({
      parseInbound: ({ headers, body }) => ({
        bookingIds: Object(body).changed,
        messageId: `${headers['x-message']} ${headers['x-time']}`,
      }),
    }),
    also: ['inbound/notices'],
  },
  'inbound/garbage': bad({
    inboundAuthenticity: (request) => {
      if (Array.isArray(request.headers['x-time'])) throw new TypeError('x-time is a list');
      return goodVerifiedPlugin.inboundAuthenticity?.(request) ?? 'forged';
    },
  }),
  'inbound/other-account': bad({ inboundAccount: () => 'S/1' }),
};

const badAt = (webhooks: Partial<BookingSystemWebhooks<unknown, InstalledAccount>>): BadPlugin => ({
  plugin: withParts({ webhooks: { ...goodWebhooks, ...webhooks } }, goodWebhooksPlugin),
  options: webhookOptions,
});

export const badWebhooks: BadPlugins = {
  'webhooks/register': {
    ...badAt({
      async register(context, { url, formerUrls }) {
        const there = await listHooks(context);
        if (there.length === 0) await context.http.post('hooks', { to: url });
        for (const { id, to } of there) if (formerUrls.includes(to)) await context.http.delete(`hooks/${id}`);
      },
    }),
    also: ['webhooks/moved'],
  },
  'webhooks/found-again': badAt({
    async register(context, { url, formerUrls }) {
      const there = await listHooks(context);
      await context.http.post('hooks', { to: url });
      for (const { id, to } of there) if (formerUrls.includes(to)) await context.http.delete(`hooks/${id}`);
    },
  }),
  'webhooks/moved': badAt({
    register: (context, { url }) => goodWebhooks.register(context, { url, formerUrls: [] }),
  }),
  'webhooks/unregister': badAt({
    unregister: (context, { urls }) => removeHooks(context, [...urls, 'https://other.example/']),
  }),
};

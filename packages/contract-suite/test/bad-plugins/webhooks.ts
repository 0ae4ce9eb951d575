import type { BookingSystemWebhooks, InstalledAccount } from '@waiver-service/core';
import {
  goodWebhooks,
  goodWebhooksPlugin,
  listHooks,
  removeHooks,
  webhookOptions,
} from '../good-webhooks-plugin.ts';
import { withParts } from './alterations.ts';
import type { BadPlugin, BadPlugins } from './bad-plugin.ts';

const bad = (webhooks: Partial<BookingSystemWebhooks<unknown, InstalledAccount>>): BadPlugin => ({
  plugin: withParts({ webhooks: { ...goodWebhooks, ...webhooks } }, goodWebhooksPlugin),
  options: webhookOptions,
});

export const badWebhooks: BadPlugins = {
  'webhooks/register': {
    ...bad({
      async register(context, { url, formerUrls }) {
        const there = await listHooks(context);
        if (there.length === 0) await context.http.post('hooks', { to: url });
        for (const { id, to } of there) if (formerUrls.includes(to)) await context.http.delete(`hooks/${id}`);
      },
    }),
    also: ['webhooks/moved'],
  },
  'webhooks/found-again': bad({
    async register(context, { url, formerUrls }) {
      const there = await listHooks(context);
      await context.http.post('hooks', { to: url });
      for (const { id, to } of there) if (formerUrls.includes(to)) await context.http.delete(`hooks/${id}`);
    },
  }),
  'webhooks/moved': bad({
    register: (context, { url }) => goodWebhooks.register(context, { url, formerUrls: [] }),
  }),
  'webhooks/unregister': bad({
    unregister: (context, { urls }) => removeHooks(context, [...urls, 'https://other.example/']),
  }),
};

import type { BookingSystemPlugin, BookingSystemWebhooks, InstalledAccount } from '@waiver-service/core';
import { raiseForStatus } from '@waiver-service/plugin-kit';
import { z } from 'zod';
import {
  type ContractSuiteOptions,
  formerWebhookUrl,
  type NativeExchange,
  webhookUrl,
} from '../src/index.ts';
import { goodNativePlugin, nativeOptions, parsed } from './good-native-plugin.ts';

const hooksSchema = z.object({ hooks: z.array(z.object({ id: z.string(), to: z.string() })) });

type Hook = z.infer<typeof hooksSchema>['hooks'][number];

type Webhooks = BookingSystemWebhooks<unknown, InstalledAccount>;
type Context = Parameters<Webhooks['register']>[0];

export async function listHooks({ http }: Context): Promise<readonly Hook[]> {
  const response = await http.get('hooks');
  raiseForStatus(response, { bookingSystem: 'Good', purpose: 'other' });
  return parsed(hooksSchema, response.data).hooks;
}

export async function removeHooks(context: Context, urls: readonly string[]): Promise<void> {
  for (const { id, to } of await listHooks(context)) {
    if (urls.includes(to)) await context.http.delete(`hooks/${encodeURIComponent(id)}`);
  }
}

/** Registers one webhook. */
export const goodWebhooks: Webhooks = {
  async register(context, { url, formerUrls }) {
    const there = await listHooks(context);
    if (!there.some(({ to }) => to === url)) await context.http.post('hooks', { to: url });
    for (const { id, to } of there)
      if (formerUrls.includes(to)) await context.http.delete(`hooks/${encodeURIComponent(id)}`);
  },
  unregister: (context, { urls }) => removeHooks(context, urls),
};

export const goodWebhooksPlugin: BookingSystemPlugin = { ...goodNativePlugin, webhooks: goodWebhooks };

const foreign = { id: 'h0', to: 'https://other.example/' };
const own = { id: 'h1', to: webhookUrl };
const former = { id: 'h2', to: formerWebhookUrl };

const list = (...hooks: Hook[]): NativeExchange => ({
  request: { method: 'GET', path: '/hooks' },
  answer: { body: { hooks } },
});
const create: NativeExchange = {
  request: { method: 'POST', path: '/hooks', body: { to: webhookUrl } },
  answer: { body: own },
};
const remove = ({ id }: Hook): NativeExchange => ({
  request: { method: 'DELETE', path: `/hooks/${id}` },
  answer: { status: 204, body: '' },
});

export const webhookOptions: ContractSuiteOptions = {
  ...nativeOptions,
  ...(nativeOptions.native && {
    native: {
      ...nativeOptions.native,
      webhooks: {
        register: [list(foreign), create],
        registerAgain: [list(foreign, own)],
        move: [list(foreign, former), create, remove(former)],
        unregister: [list(foreign, own), remove(own)],
        unregisterAgain: [list(foreign)],
      },
    },
  }),
};

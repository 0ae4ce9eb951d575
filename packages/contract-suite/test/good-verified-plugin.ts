import { createHmac } from 'node:crypto';
import {
  type BookingSystemPlugin,
  type InboundRequest,
  type InstalledAccount,
  partnerApiKeySchema,
} from '@waiver-service/core';
import { installedAccountSchema, isSameSecret } from '@waiver-service/plugin-kit';
import type { ContractSuiteOptions } from '../src/index.ts';
import { goodNativePlugin, nativeOptions } from './good-native-plugin.ts';

const settingsSchema = installedAccountSchema
  .extend({ webhookSecret: partnerApiKeySchema.describe('Signs the vendor’s calls.') })
  .pick({ webhookSecret: true });

type Request = InboundRequest<unknown, InstalledAccount>;

const toleranceMs = 60_000;

/** Whether time, URL and body are signed by the secret. */
export function isSigned({ headers, url, rawBody, settings }: Request): boolean {
  const { webhookSecret } = settingsSchema.parse(settings);
  const signature = createHmac('sha256', webhookSecret)
    .update(`${headers['x-time']} ${url.href} `)
    .update(rawBody);
  return isSameSecret(headers['x-signature'], signature.digest('hex'));
}

export const isRecent = ({ headers, now }: Request, maxMs = toleranceMs): boolean =>
  Math.abs(now.getTime() - Number(headers['x-time'])) <= maxMs;

/** Verifies its vendor's calls, which come to one address for all accounts. */
export const goodVerifiedPlugin: BookingSystemPlugin = {
  ...goodNativePlugin,
  installName: 'good-verified',
  displayName: 'Good, with signed calls',
  settingsSchema,
  capabilities: { ...goodNativePlugin.capabilities, inboundAddress: 'shared' },
  inboundAuthenticity: (request) => {
    if (!isSigned(request)) return 'forged';
    return isRecent(request) ? 'authentic' : 'stale';
  },
  inboundAccount: ({ body }) => Object(body).seller,
  parseInbound: ({ headers, body }) => ({
    bookingIds: Object(body).changed,
    messageId: String(headers['x-message']),
  }),
};

const call = (message: string, body: unknown) => ({ headers: { 'x-message': message }, body });

/** Its scenarios, signed as the vendor does. */
export const verifiedOptions: ContractSuiteOptions = {
  ...nativeOptions,
  settings: { webhookSecret: 'planted-webhook-secret' },
  inboundSignature: {
    sign({ url, body, now }, { settings }) {
      const time = String(now.getTime());
      const signed = Buffer.concat([Buffer.from(`${time} ${url} `), body]);
      const signature = createHmac('sha256', String(settings.webhookSecret)).update(signed).digest('hex');
      return { headers: { 'X-Time': time, 'X-Signature': signature } };
    },
    toleranceMs,
  },
  ...(nativeOptions.native && {
    native: {
      ...nativeOptions.native,
      inbound: [
        {
          name: 'a changed reservation',
          call: call('m-1', { seller: 'S/1', changed: ['R/1'] }),
          accountId: 'S/1',
          bookingIds: ['R/1'],
          messageId: 'm-1',
        },
        {
          name: 'another seller’s',
          call: call('m-2', { seller: 2, changed: [] }),
          accountId: 2,
          bookingIds: [],
          messageId: 'm-2',
        },
      ],
    },
  }),
};

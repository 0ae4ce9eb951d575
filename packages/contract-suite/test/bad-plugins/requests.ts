import {
  BookingSystemUnavailable,
  partnerApiKeySchema,
  RateLimited,
  WaiverRejected,
} from '@waiver-service/core';
import {
  defineBookingSystem,
  installedAccountSchema,
  raiseForStatus,
  readBooking,
} from '@waiver-service/plugin-kit';
import { partnerBaseUrl } from '../../src/kit/partner.ts';
import { goodNativePlugin } from '../good-native-plugin.ts';
import { goodJudgingPlugin, goodPlugin, judgeWords, judgingOptions } from '../good-plugins.ts';
import {
  type BadPlugins,
  goodPush,
  keyOf,
  withParts,
  withPush,
  withReadError,
  withRequest,
} from './alterations.ts';

const judging = (judgeAnswer: typeof judgeWords) => ({
  plugin: defineBookingSystem({
    installName: 'bad-judging',
    displayName: 'Bad, in words',
    contract: { pathShape: 'path', guestId: 'none' },
    judgeAnswer,
  }),
  options: judgingOptions,
});

/** A request that does not use context.http. */
const passBy = (method: string) => fetch(partnerBaseUrl, { method }).catch(() => undefined);

export const badRequestsSent: BadPlugins = {
  'client/only-way-out': {
    // As the good plugin reads, but for the way that the request takes.
    plugin: withParts({
      async fetchBooking(context, bookingId) {
        const url = `${partnerBaseUrl}/bookings/${encodeURIComponent(bookingId)}?pool=${context.pool}`;
        const answer = await fetch(url, { headers: { 'api-key': keyOf(context) } });
        const data: unknown = await answer.json();
        raiseForStatus(
          { status: answer.status, headers: {}, data },
          { bookingSystem: 'Bad', purpose: 'read', bookingId },
        );
        return readBooking(data);
      },
    }),
  },
  'judged/read': {
    plugin: withParts(
      {
        // Reads as a plugin that leaves all to the statuses.
        fetchBooking: (context, bookingId) => goodPlugin.fetchBooking(context, bookingId),
      },
      goodJudgingPlugin,
    ),
    options: judgingOptions,
  },
  'judged/write': {
    plugin: withParts({ pushWaiver: goodPush }, goodJudgingPlugin),
    options: judgingOptions,
  },
  'judged/others': judging((answer) =>
    Object(answer.data).error === null ? { meaning: 'gone' } : judgeWords(answer),
  ),
  'requests/read-counted': {
    plugin: withParts({
      async fetchBooking(context, bookingId) {
        const fetched = await goodPlugin.fetchBooking(context, bookingId);
        await passBy('GET');
        return fetched;
      },
    }),
  },
  'requests/write-counted': {
    plugin: withPush(async (_context, _waiver, good) => {
      const pushed = await good();
      await passBy('POST');
      return pushed;
    }),
  },
  'requests/read-held-back': {
    plugin: withReadError(({ code, message }) =>
      code === 'booking_system_rate_limited' ? new BookingSystemUnavailable(message) : undefined,
    ),
  },
  'requests/write-held-back': {
    plugin: withPush(async (_context, _waiver, good) => {
      try {
        return await good();
      } catch (error) {
        if (!(error instanceof RateLimited)) throw error;
        throw new WaiverRejected(error.message, { retry: 'three-attempts' });
      }
    }),
  },
};

const { capabilities } = goodPlugin;
const contract = {
  pathShape: 'path',
  guestId: 'booking-guest-id',
  authHeaderName: 'api-key',
  guestUpdateAuthHeaderName: 'API-key',
} as const;
const { accountId } = installedAccountSchema.shape;

export const badManifests: BadPlugins = {
  'manifest/schema': { plugin: withParts({ displayName: '' }) },
  'manifest/contract': { plugin: withParts({ contract: undefined }) },
  'manifest/specification-version': { plugin: Object.assign(withParts({}), { specificationVersion: 'v0' }) },
  'manifest/guest-update-function': {
    plugin: withParts({ capabilities: { ...capabilities, guestUpdate: false } }),
  },
  'manifest/inbound-function': { plugin: withParts({ parseInbound: () => ({ bookingIds: [] }) }) },
  // Lists bookings, and nobody can use it.
  'manifest/listing-functions': {
    plugin: withParts({ capabilities: { ...goodNativePlugin.capabilities, lists: false } }, goodNativePlugin),
  },
  'manifest/auth-header': {
    plugin: withRequest(
      ({ method, request, context }) =>
        method === 'get' ? { request: { ...request, headers: { 'x-other': keyOf(context) } } } : {},
      withParts({ contract: { ...contract, authHeaderName: 'x-other' } }),
    ),
  },
  'manifest/account-id-type': {
    plugin: withParts({
      accountSchema: installedAccountSchema.extend({ accountId: accountId.transform(String) }),
    }),
  },
  'manifest/account-key': {
    plugin: withParts({
      accountSchema: installedAccountSchema.extend({ apiKey: partnerApiKeySchema.default('') }),
    }),
  },
};

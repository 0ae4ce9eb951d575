import { partnerApiKeySchema } from '@waiver-service/core';
import { installedAccountSchema } from '@waiver-service/plugin-kit';
import { goodNativePlugin } from '../good-native-plugin.ts';
import { goodPlugin } from '../good-plugins.ts';
import { keyOf, withParts, withRequest } from './alterations.ts';
import type { BadPlugins } from './bad-plugin.ts';

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

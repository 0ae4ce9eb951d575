import { goodSignedPlugin, signedOptions, signedParts, signedPlugin } from '../good-signed-plugin.ts';
import { withParts } from './alterations.ts';
import type { BadPlugins } from './bad-plugin.ts';

export const badAuthentications: BadPlugins = {
  'authentication/authentic': {
    plugin: signedPlugin((request) => ({ ...signedParts(request), address: request.url.pathname })),
    options: signedOptions,
  },
  'authentication/other-secret': {
    plugin: withParts({ authenticate: () => ({ headers: { 'X-Signature': 'nonsense' } }) }, goodSignedPlugin),
    options: { ...signedOptions, isAuthentic: ({ headers }) => headers['x-signature'] === 'nonsense' },
  },
};

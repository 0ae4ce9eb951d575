import { manifestSchema, supportedSpecificationVersions } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';

/** What a plugin says of itself. */
export const manifestClauses: readonly Clause[] = [
  {
    id: 'manifest/schema',
    section: 'plugin interface',
    title: 'the manifest is complete and well formed',
    run({ plugin }) {
      manifestSchema.omit({ specificationVersion: true }).parse(plugin);
    },
  },
  {
    id: 'manifest/specification-version',
    section: 'plugin interface',
    title: 'is written for a version of the plugin interface that the host can load',
    run({ plugin }) {
      expect(supportedSpecificationVersions).toContain(plugin.specificationVersion);
    },
  },
  {
    id: 'manifest/guest-update-function',
    section: 'plugin interface',
    title: 'has pushWaiver, and something that it leaves, exactly where it says that it takes Guest Updates',
    run({ plugin }) {
      const { guestUpdate, takes } = plugin.capabilities;
      expect(typeof plugin.pushWaiver === 'function').toBe(guestUpdate);
      expect(takes.length > 0, 'capabilities.takes names what a Guest Update leaves').toBe(guestUpdate);
    },
  },
  {
    id: 'manifest/inbound-function',
    section: 'plugin interface',
    title: 'has parseInbound exactly where it says that it sends calls of its own form',
    run({ plugin }) {
      expect(typeof plugin.parseInbound === 'function').toBe(plugin.capabilities.inbound === 'native');
    },
  },
  {
    id: 'manifest/auth-header',
    section: 'contract 5',
    title: 'reading is authenticated by the header that the manifest names, Guest Update by its own',
    run(kit) {
      const { authHeaderName, guestUpdateAuthHeaderName, capabilities } = kit.plugin;
      expect(Object.keys(kit.authHeaders('read'))).toContain(authHeaderName);
      if (!capabilities.guestUpdate) return;
      expect(Object.keys(kit.authHeaders('guest-update'))).toContain(guestUpdateAuthHeaderName);
    },
  },
  {
    id: 'manifest/account-id-type',
    section: 'contract 2.7',
    title: 'accountId keeps its JSON type',
    run({ plugin, account }) {
      for (const accountId of [42, '42']) {
        expect(plugin.accountSchema.parse({ ...account, accountId }).accountId).toBe(accountId);
      }
    },
  },
  {
    id: 'manifest/account-key',
    section: 'contract 2.7',
    title: 'an installation without apiKey is refused, and the message names it',
    run({ plugin, account }) {
      const parsed = plugin.accountSchema.safeParse({ ...account, apiKey: undefined });
      expect(parsed.success, 'an installation without apiKey is refused').toBe(false);
      expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toContain('apiKey');
    },
  },
];

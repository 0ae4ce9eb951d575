import { manifestSchema, supportedSpecificationVersions } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { followsContract } from '../conditions.ts';
import { firstRequests } from './operations.ts';

/** The manifest, and the functions that it implies. */
export const manifestClauses: readonly Clause[] = [
  {
    id: 'manifest/schema',
    section: 'plugin interface',
    title: 'the manifest is complete and valid',
    run({ plugin }) {
      manifestSchema.omit({ specificationVersion: true }).parse(plugin);
    },
  },
  {
    id: 'manifest/contract',
    section: 'plugin interface',
    title: 'follows the contract, or reads the form `native`',
    run({ plugin }) {
      expect(plugin.capabilities.forms.includes('native')).toBe(plugin.contract === undefined);
    },
  },
  {
    id: 'manifest/specification-version',
    section: 'plugin interface',
    title: 'declares a version of the plugin interface that the host can load',
    run({ plugin }) {
      expect(supportedSpecificationVersions).toContain(plugin.specificationVersion);
    },
  },
  {
    id: 'manifest/guest-update-function',
    section: 'plugin interface',
    title: 'has pushWaiver and a non-empty capabilities.takes if, and only if, it declares guestUpdate',
    run({ plugin }) {
      const { guestUpdate, takes } = plugin.capabilities;
      expect(typeof plugin.pushWaiver === 'function').toBe(guestUpdate);
      expect(takes.length > 0, 'capabilities.takes says where a Guest Update is stored').toBe(guestUpdate);
    },
  },
  {
    id: 'manifest/inbound-function',
    section: 'plugin interface',
    title:
      'has parseInbound if, and only if, its inbound calls are native, and what an address for all accounts needs',
    run({ plugin }) {
      const { inbound, inboundAddress } = plugin.capabilities;
      expect(typeof plugin.parseInbound === 'function').toBe(inbound === 'native');
      const isShared = inboundAddress === 'shared';
      expect(typeof plugin.inboundAccount === 'function').toBe(isShared);
      // At a shared address, nothing else distinguishes the vendor from others.
      if (isShared) expect(typeof plugin.inboundAuthenticity).toBe('function');
    },
  },
  {
    id: 'manifest/listing-functions',
    section: 'plugin interface, lists and changes',
    title: 'declares lists, changes and checksAccess if, and only if, it has the function for each',
    run({ plugin: { capabilities, listBookings, changesSince, checkAccess } }) {
      const declared = {
        lists: capabilities.lists === true,
        changes: capabilities.changes !== undefined,
        checksAccess: capabilities.checksAccess === true,
      };
      expect(declared, 'capabilities, as the functions say').toEqual({
        lists: listBookings !== undefined,
        changes: changesSince !== undefined,
        checksAccess: checkAccess !== undefined,
      });
    },
  },
  {
    id: 'manifest/auth-header',
    section: 'contract 5',
    title:
      'reads and Guest Updates are authenticated by the headers that the manifest declares, if by headers at all',
    appliesTo: followsContract,
    async run(kit) {
      const { authenticate, capabilities } = kit.plugin;
      const { authHeaderName, guestUpdateAuthHeaderName } = kit.contract;
      // Makes requests first, to learn what `authenticate` adds.
      if (authenticate !== undefined) await firstRequests(kit, kit.bookingId);
      const expectDeclared = (names: readonly string[], declared: string) => {
        if (authenticate === undefined || names.length > 0) expect(names).toContain(declared.toLowerCase());
      };
      expectDeclared(kit.authHeaderNames('read'), authHeaderName);
      if (capabilities.guestUpdate)
        expectDeclared(kit.authHeaderNames('guest-update'), guestUpdateAuthHeaderName);
    },
  },
  {
    id: 'manifest/account-id-type',
    section: 'contract 2.7',
    title: 'accountId keeps its JSON type, and accountIdField is a field of the account',
    run({ plugin, account }) {
      for (const accountId of [42, '42']) {
        expect(plugin.accountSchema.parse({ ...account, accountId }).accountId).toBe(accountId);
      }
      const { accountIdField } = plugin;
      if (accountIdField !== undefined) expect(Object.keys(account)).toContain(accountIdField);
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

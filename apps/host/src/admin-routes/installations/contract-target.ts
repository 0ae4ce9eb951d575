import type { BookingSystemPlugin, ContractChoices, InstalledAccount } from '@waiver-service/core';
import type { BookingSystemConfiguration } from '@waiver-service/store';

/** The endpoints of an installation that can be checked, or why they cannot. */
export type ContractTarget =
  | {
      readonly contract: ContractChoices;
      readonly bookingApi: string;
      readonly apiKey: string;
      readonly takesWaivers: boolean;
    }
  | { readonly reason: string };

type Access = Parameters<BookingSystemPlugin['authHeaders']>[0];

function sendsOnlyTheKey(
  plugin: BookingSystemPlugin,
  contract: ContractChoices,
  account: InstalledAccount,
  settings: unknown,
): boolean {
  const isKeyHeader = (purpose: Access['purpose'], header: string) => {
    const headers = Object.entries(plugin.authHeaders({ settings, account, purpose }));
    return headers.length === 1 && headers[0]?.[0] === header && headers[0][1] === account.apiKey;
  };
  return (
    plugin.authenticate === undefined &&
    plugin.session === undefined &&
    isKeyHeader('read', contract.authHeaderName) &&
    isKeyHeader('guest-update', contract.guestUpdateAuthHeaderName)
  );
}

/** The endpoints to check, or why not: only a plugin that follows the contract can be checked. */
export function contractEndpoints(
  plugin: BookingSystemPlugin,
  { installation, settings }: BookingSystemConfiguration,
): ContractTarget {
  const { displayName, contract, capabilities } = plugin;
  if (contract === undefined) {
    return {
      reason: `${displayName} does not follow the contract. Test it with a booking instead.`,
    };
  }
  const { information, accountId, apiKey } = installation.account;
  if (!sendsOnlyTheKey(plugin, contract, { ...information, accountId, apiKey }, settings?.settings ?? {})) {
    return {
      reason: `${displayName} authenticates in another way than the contract’s, which the check cannot do.`,
    };
  }
  if (capabilities.requestLimits !== undefined) {
    return { reason: `${displayName} limits requests, and a check would use up those of bookings.` };
  }
  const bookingApi = installation.baseUrl ?? settings?.baseUrl;
  if (bookingApi === null || bookingApi === undefined) {
    return { reason: `${displayName} has no base address: set it on the page of the booking system.` };
  }
  const takesWaivers = capabilities.guestUpdate && capabilities.takes.includes('waiver');
  return { contract, bookingApi, apiKey, takesWaivers };
}

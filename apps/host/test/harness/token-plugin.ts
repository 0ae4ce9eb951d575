import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import { authorizationCode, clientCredentials, defineBookingSystem } from '@waiver-service/plugin-kit';

/** The account of a system that issues tokens. */
export const tokenAccount = { accountId: 'client-1', apiKey: 'client-secret-of-the-account' };

/** A plugin whose booking system follows the contract, but for tokens in place of the key. */
export function tokenPlugin(
  grant: 'client-credentials' | 'authorization-code' = 'client-credentials',
  installName = 'tokens',
): BookingSystemPlugin {
  const client = ({ account }: { readonly account: InstalledAccount }) => ({
    id: String(account.accountId),
    secret: account.apiKey,
  });
  return defineBookingSystem({
    installName,
    displayName: 'Tokens',
    contract: { pathShape: 'path', guestId: 'booking-guest-id' },
    capabilities: {
      forms: ['current'],
      guestUpdate: true,
      takes: ['waiver'],
      void: true,
      inbound: 'contract',
    },
    session:
      grant === 'client-credentials'
        ? clientCredentials({ tokenUrl: 'token', client })
        : authorizationCode({ authorizationUrl: 'authorize', tokenUrl: 'token', client }),
  });
}

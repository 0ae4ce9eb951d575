import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import {
  authorizationCode,
  clientCredentials,
  defineBookingSystem,
  installedAccountSchema,
  noSettingsSchema,
} from '@waiver-service/plugin-kit';

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
  return defineBookingSystem<unknown, InstalledAccount>({
    installName,
    displayName: 'Tokens',
    pathShape: 'path',
    guestId: 'booking-guest-id',
    settingsSchema: noSettingsSchema,
    accountSchema: installedAccountSchema,
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

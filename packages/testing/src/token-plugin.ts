import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import { authorizationCode, clientCredentials, defineBookingSystem } from '@waiver-service/plugin-kit';
import {
  type AuthorizationGrants,
  IssuedTokens,
  type SimulatedBookingSystem,
  startBookingSystem,
} from '@waiver-service/simulator';

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

/** A booking system that issues tokens, and those that it has issued. */
export interface TokenSystem extends SimulatedBookingSystem {
  readonly issued: IssuedTokens;
  /** The client that it issues tokens to. */
  readonly client: { id: string; secret: string };
}

/** Starts a booking system that issues tokens to {@link tokenAccount}, or what a person has granted it. */
export async function startTokenSystem(grants?: AuthorizationGrants): Promise<TokenSystem> {
  const issued = new IssuedTokens(3_600);
  const client = { id: tokenAccount.accountId, secret: tokenAccount.apiKey };
  const system = await startBookingSystem({
    apiKey: 'never-sent',
    pathShape: 'path',
    form: 'current',
    tokens: { issued, client, grants },
  });
  return Object.assign(system, { issued, client });
}

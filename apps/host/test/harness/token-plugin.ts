import type { BookingSystemPlugin, InstalledAccount, RequestLimits } from '@waiver-service/core';
import {
  clientCredentials,
  defineBookingSystem,
  installedAccountSchema,
  noSettingsSchema,
} from '@waiver-service/plugin-kit';
import { IssuedTokens, type SimulatedBookingSystem, startBookingSystem } from '@waiver-service/simulator';
import { startTestHost, type TestHost } from './test-host.ts';

/** The account of a system that issues tokens. */
export const tokenAccount = { accountId: 'client-1', apiKey: 'client-secret-of-the-account' };

/** A plugin whose booking system follows the contract, but for tokens in place of the key. */
export function tokenPlugin(requestLimits?: RequestLimits): BookingSystemPlugin {
  return defineBookingSystem<unknown, InstalledAccount>({
    installName: 'tokens',
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
      requestLimits,
    },
    session: clientCredentials({
      tokenUrl: 'token',
      client: ({ account }) => ({ id: String(account.accountId), secret: account.apiKey }),
    }),
  });
}

/** A booking system that issues tokens, and those that it has issued. */
export interface TokenSystem extends SimulatedBookingSystem {
  readonly issued: IssuedTokens;
  /** The client that it issues tokens to. */
  readonly client: { id: string; secret: string };
}

/** Starts a booking system that issues tokens to {@link tokenAccount}. */
export async function startTokenSystem(): Promise<TokenSystem> {
  const issued = new IssuedTokens(3_600);
  const client = { id: tokenAccount.accountId, secret: tokenAccount.apiKey };
  const system = await startBookingSystem({
    apiKey: 'never-sent',
    pathShape: 'path',
    form: 'current',
    tokens: { issued, client },
  });
  return Object.assign(system, { issued, client });
}

/** A host that knows {@link tokenPlugin} alone. */
export const startTokenHost = (
  variables: Readonly<Record<string, string>> = {},
  plugin: BookingSystemPlugin = tokenPlugin(),
): Promise<TestHost> =>
  startTestHost(variables, {
    pluginPackages: ['@waiver-service/plugin-tokens'],
    importPackage: async () => ({ default: plugin }),
  });

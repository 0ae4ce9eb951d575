import type { BookingSystemPlugin } from '@waiver-service/core';
import {
  type AuthorizationGrants,
  IssuedTokens,
  type SimulatedBookingSystem,
  startBookingSystem,
} from '@waiver-service/simulator';
import { startTestHost, type TestHost } from './test-host.ts';
import { tokenAccount, tokenPlugin } from './token-plugin.ts';

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

/** A host whose only plugin is {@link tokenPlugin}. */
export const startTokenHost = (
  variables: Readonly<Record<string, string>> = {},
  plugin: BookingSystemPlugin = tokenPlugin(),
): Promise<TestHost> =>
  startTestHost(variables, {
    pluginPackages: ['@waiver-service/plugin-tokens'],
    importPackage: async () => ({ default: plugin }),
  });

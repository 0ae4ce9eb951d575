import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import { createOutbound, type Exchange } from '@waiver-service/outbound';
import { afterAll, afterEach } from 'vitest';
import {
  type ContextInput,
  type ContractDefinition,
  createBookingSystemContext,
  defineBookingSystem,
} from '../src/index.ts';
import { startRecordingServer } from './recording-server.ts';

export const apiKey = 'planted-key-51c0ffee';

/** Plugins that make different choices where the contract leaves one. */
export const byPath: ContractDefinition = {
  installName: 'by-path',
  displayName: 'By Path',
  contract: { pathShape: 'path', guestId: 'booking-guest-id' },
};
export const pathPlugin = defineBookingSystem(byPath);
export const queryPlugin = defineBookingSystem({
  installName: 'by-query',
  displayName: 'By Query',
  contract: { authHeaderName: 'Authentication', pathShape: 'query', guestId: 'none' },
});

/** Creates contexts for calls to one address. */
function setupContexts(baseUrl: string | null) {
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 2000 });
  const exchanges: Exchange[] = [];
  const context = <S, A extends InstalledAccount>(
    plugin: BookingSystemPlugin<S, A>,
    more: Partial<ContextInput<S, A>> = {},
  ) =>
    createBookingSystemContext({
      plugin,
      outbound,
      baseUrl,
      pool: 'pool & 1',
      settings: {},
      account: { accountId: 1, apiKey },
      purpose: 'read',
      signal: new AbortController().signal,
      onExchange: (exchange) => exchanges.push(exchange),
      ...more,
    });
  return { outbound, exchanges, context };
}

/** A booking system for a file's tests, and contexts for calls to it. */
export async function startBookingSystem() {
  const server = await startRecordingServer();
  const setup = setupContexts(server.baseUrl);
  afterEach(() => void server.takeAll());
  afterAll(async () => {
    await setup.outbound.close();
    await server.close();
  });
  return { server, setup };
}

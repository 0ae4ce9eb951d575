import { hash } from 'node:crypto';
import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import { createConnectionCache } from '@waiver-service/delivery';
import type { BeforeRequest, Outbound } from '@waiver-service/outbound';
import {
  type ContextMaker,
  keepSessionInMemory,
  prepareAuthorization,
  prepareBookingSystemContext,
} from '@waiver-service/plugin-kit';
import type { Store } from '@waiver-service/store';
import type {
  BookingSystemConnection,
  BookingSystemConnector,
  ConnectionConfiguration,
  ConnectionUse,
} from './booking-system-connection.ts';
import type { BookingSystemResolver } from './booking-system-resolver.ts';
import { createRequestGate, type LimitedInstallation, type RequestGate } from './request-gate.ts';
import type { SessionKeepers } from './session-keepers.ts';

export interface ConnectorParts {
  readonly bookingSystems: BookingSystemResolver;
  readonly outbound: Outbound;
  readonly installations: Pick<Store['installations'], 'configurationByDestination'>;
  readonly requestBudgets: Store['requestBudgets'];
  readonly sessionKeepers: Pick<SessionKeepers, 'keeperOf' | 'openWith'>;
}

/** Counts each request of one use, but for a first one that was counted before. */
function countRequests(
  gate: RequestGate,
  installation: LimitedInstallation,
  { purpose, countedUntil = Number.NEGATIVE_INFINITY, signal, onTurn }: ConnectionUse,
): BeforeRequest {
  let isCounted = true;
  return async (deadlineAt) => {
    const isPaid = isCounted && performance.now() <= countedUntil;
    isCounted = false;
    if (isPaid) return;
    await gate.enter(installation, { purpose, deadlineAt, signal });
    onTurn?.();
  };
}

/** Counts the requests for tokens. They go before Guest Updates, as reads do: others wait for them. */
const countTokenRequests =
  (gate: RequestGate, installation: LimitedInstallation): BeforeRequest =>
  (deadlineAt) =>
    gate.enter(installation, { purpose: 'read', deadlineAt, signal: new AbortController().signal });

/** The input of a connection. */
interface ConnectionAccess {
  readonly baseUrl: string | null;
  readonly environment: 'live' | 'test' | undefined;
  readonly settings: unknown;
  readonly account: InstalledAccount;
}

/**
 * The access that a session is opened with, and ends with. What a person has authorized is not: it outlives a change of the
 * credentials that this service itself has there.
 */
function openedWithOf({ session }: BookingSystemPlugin, access: ConnectionAccess): unknown {
  const { baseUrl, environment = null, account } = access;
  return session?.grant === 'authorization-code' ? [baseUrl, environment, account.accountId] : access;
}

/** Connects pools to the booking systems installed for them. */
export function createBookingSystemConnector(parts: ConnectorParts): BookingSystemConnector {
  const { bookingSystems, outbound, installations, requestBudgets, sessionKeepers } = parts;
  const gate = createRequestGate(requestBudgets);

  function connectionOf(
    destination: string,
    { installation, settings }: ConnectionConfiguration,
    isInstalled = true,
  ): BookingSystemConnection {
    const { pool, bookingSystem, account } = installation;
    const { information, accountId, apiKey } = account;
    const plugin = bookingSystems.resolve(bookingSystem);
    const limits = plugin.capabilities.requestLimits;
    const { displayName } = plugin;
    const limited = limits && { destination, bookingSystem, displayName, limits };
    const access = {
      baseUrl: installation.baseUrl ?? settings?.baseUrl ?? null,
      environment: installation.environment ?? undefined,
      settings: settings?.settings ?? {},
      account: { ...information, accountId, apiKey },
    };
    const session = {
      destination,
      pool,
      bookingSystem,
      displayName,
      openedWith: hash('sha256', JSON.stringify(openedWithOf(plugin, access)), 'base64url'),
      beforeRequest: limited && countTokenRequests(gate, limited),
    };
    const { beforeRequest } = session;
    // The store keeps no session of an account that is gone.
    const sessionKeeperFor = (evenIfLost: boolean) =>
      isInstalled
        ? sessionKeepers.keeperOf(session, evenIfLost)
        : keepSessionInMemory(() => ({ signal: new AbortController().signal, beforeRequest }));
    const installationInput = { plugin, outbound, pool, ...access };
    const prepare = (purpose: ConnectionUse['purpose'], evenIfLost: boolean) =>
      prepareBookingSystemContext({
        ...installationInput,
        purpose,
        sessionKeeper: sessionKeeperFor(evenIfLost),
      });
    const prepared: { [purpose in ConnectionUse['purpose']]?: ContextMaker<unknown, InstalledAccount> } = {};
    return {
      pool,
      bookingSystem,
      plugin,
      installation: {
        destination,
        baseUrl: installation.baseUrl,
        environment: installation.environment,
      },
      contextFor(use) {
        const { purpose, evenIfLost = false } = use;
        const contextFor = (evenIfLost ? undefined : prepared[purpose]) ?? prepare(purpose, evenIfLost);
        if (!evenIfLost) prepared[purpose] = contextFor;
        return contextFor(limited ? { ...use, beforeRequest: countRequests(gate, limited, use) } : use);
      },
      authorization() {
        const authorization = prepareAuthorization({ ...installationInput, purpose: 'read' });
        if (authorization === undefined) return undefined;
        const { url, exchange } = authorization;
        return {
          url,
          open: (callback) => sessionKeepers.openWith(session, (use) => exchange(callback, use)),
        };
      },
    };
  }

  const connect = createConnectionCache(async (destination) => {
    const configuration = await installations.configurationByDestination(destination);
    return configuration && connectionOf(destination, configuration);
  });
  return {
    connect,
    connectOnce: (destination, configuration) => connectionOf(destination, configuration),
    connectFormer: (destination, configuration) => connectionOf(destination, configuration, false),
  };
}

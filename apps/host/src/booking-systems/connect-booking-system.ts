import type { InstalledAccount } from '@waiver-service/core';
import { createConnectionCache } from '@waiver-service/delivery';
import type { BeforeRequest, Outbound } from '@waiver-service/outbound';
import { type ContextMaker, prepareBookingSystemContext } from '@waiver-service/plugin-kit';
import type { BookingSystemConfiguration, Store } from '@waiver-service/store';
import type {
  BookingSystemConnection,
  BookingSystemConnector,
  ConnectionUse,
} from './booking-system-connection.ts';
import type { BookingSystemResolver } from './booking-system-resolver.ts';
import { createRequestGate, type LimitedInstallation, type RequestGate } from './request-gate.ts';

export interface ConnectorParts {
  readonly bookingSystems: BookingSystemResolver;
  readonly outbound: Outbound;
  readonly installations: Pick<Store['installations'], 'configurationByDestination'>;
  readonly requestBudgets: Store['requestBudgets'];
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

/** Connects pools to the booking systems installed for them. */
export function createBookingSystemConnector(parts: ConnectorParts): BookingSystemConnector {
  const { bookingSystems, outbound, installations, requestBudgets } = parts;
  const gate = createRequestGate(requestBudgets);

  function connectionOf(
    destination: string,
    { installation, settings }: BookingSystemConfiguration,
  ): BookingSystemConnection {
    const { pool, bookingSystem, account } = installation;
    const { information, accountId, apiKey } = account;
    const plugin = bookingSystems.resolve(bookingSystem);
    const prepare = (purpose: ConnectionUse['purpose']) =>
      prepareBookingSystemContext({
        plugin,
        outbound,
        baseUrl: settings?.baseUrl ?? null,
        pool,
        settings: settings?.settings ?? {},
        account: { ...information, accountId, apiKey },
        purpose,
      });
    const limits = plugin.capabilities.requestLimits;
    const { displayName } = plugin;
    const limited = limits && { destination, bookingSystem, displayName, limits };
    const prepared: { [purpose in ConnectionUse['purpose']]?: ContextMaker<unknown, InstalledAccount> } = {};
    return {
      pool,
      bookingSystem,
      plugin,
      contextFor(use) {
        const contextFor = prepared[use.purpose] ?? prepare(use.purpose);
        prepared[use.purpose] = contextFor;
        return contextFor(limited ? { ...use, beforeRequest: countRequests(gate, limited, use) } : use);
      },
    };
  }

  const connect = createConnectionCache(async (destination) => {
    const configuration = await installations.configurationByDestination(destination);
    return configuration && connectionOf(destination, configuration);
  });
  return { connect };
}

import type { InstalledAccount } from '@waiver-service/core';
import { createConnectionCache } from '@waiver-service/delivery';
import type { Outbound } from '@waiver-service/outbound';
import { type ContextMaker, prepareBookingSystemContext } from '@waiver-service/plugin-kit';
import type { BookingSystemConfiguration, Store } from '@waiver-service/store';
import type {
  BookingSystemConnection,
  BookingSystemConnector,
  ConnectionUse,
} from './booking-system-connection.ts';
import type { BookingSystemResolver } from './booking-system-resolver.ts';

export interface ConnectorParts {
  readonly bookingSystems: BookingSystemResolver;
  readonly outbound: Outbound;
  readonly installations: Pick<Store['installations'], 'configurationByDestination'>;
}

/** Connects pools to the booking systems installed for them. */
export function createBookingSystemConnector(parts: ConnectorParts): BookingSystemConnector {
  const { bookingSystems, outbound, installations } = parts;

  function connectionOf({ installation, settings }: BookingSystemConfiguration): BookingSystemConnection {
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
    const prepared: { [purpose in ConnectionUse['purpose']]?: ContextMaker<unknown, InstalledAccount> } = {};
    return {
      pool,
      bookingSystem,
      plugin,
      contextFor(use) {
        const contextFor = prepared[use.purpose] ?? prepare(use.purpose);
        prepared[use.purpose] = contextFor;
        return contextFor(use);
      },
    };
  }

  const connect = createConnectionCache(async (destination) => {
    const configuration = await installations.configurationByDestination(destination);
    return configuration && connectionOf(configuration);
  });
  return { connect };
}

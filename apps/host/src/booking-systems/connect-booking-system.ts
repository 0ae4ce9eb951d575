import type { Outbound } from '@waiver-service/outbound';
import { createBookingSystemContext } from '@waiver-service/plugin-kit';
import type { BookingSystemSettings, Installation, Store } from '@waiver-service/store';
import type { BookingSystemConnector, ConnectionPurpose } from './booking-system-connection.ts';
import type { BookingSystemResolver } from './booking-system-resolver.ts';

/** What a connector is made of. */
export interface ConnectorParts {
  readonly bookingSystems: BookingSystemResolver;
  readonly store: Pick<Store, 'bookingSystems'>;
  readonly outbound: Outbound;
}

/** Connects pools to the booking systems installed for them. */
export function createBookingSystemConnector(parts: ConnectorParts): BookingSystemConnector {
  const { bookingSystems, store, outbound } = parts;

  const connection = (
    { pool, bookingSystem, account: { information, accountId, apiKey } }: Installation,
    configured: BookingSystemSettings | undefined,
    { purpose, signal, onExchange }: ConnectionPurpose,
  ) => {
    const plugin = bookingSystems.resolve(bookingSystem);
    const context = createBookingSystemContext({
      plugin,
      outbound,
      baseUrl: configured?.baseUrl ?? null,
      pool,
      settings: configured?.settings ?? {},
      account: { ...information, accountId, apiKey },
      purpose,
      signal,
      ...(onExchange === undefined ? {} : { onExchange }),
    });
    return { plugin, context };
  };

  return {
    connect: ({ installation, settings }, purpose) => connection(installation, settings, purpose),
    async connectInstallation(installation, purpose) {
      const configured = await store.bookingSystems.get(installation.bookingSystem);
      return connection(installation, configured, purpose);
    },
  };
}

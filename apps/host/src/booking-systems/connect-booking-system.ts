import type { Outbound } from '@waiver-service/outbound';
import { createBookingSystemContext } from '@waiver-service/plugin-kit';
import type { BookingSystemSettings, Installation, Store } from '@waiver-service/store';
import { HttpProblem } from '../http/http-problem.ts';
import type { BookingSystemConnector, ConnectionPurpose } from './booking-system-connection.ts';
import type { BookingSystemResolver } from './booking-system-resolver.ts';

/** What a connector is made of. */
export interface ConnectorParts {
  readonly bookingSystems: BookingSystemResolver;
  readonly store: Pick<Store, 'bookingSystems' | 'installations'>;
  readonly outbound: Outbound;
}

/** Connects pools to the booking systems installed for them. Settings and keys are read fresh for each use. */
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
    async connect({ pool, bookingSystem, ...purpose }) {
      bookingSystems.resolve(bookingSystem);
      const [configured, installation] = await Promise.all([
        store.bookingSystems.get(bookingSystem),
        store.installations.get(pool, bookingSystem),
      ]);
      if (installation === undefined) {
        throw new HttpProblem(424, 'not_installed', `${bookingSystem} is not installed for this pool.`);
      }
      return connection(installation, configured, purpose);
    },
    async connectInstallation(installation, purpose) {
      const configured = await store.bookingSystems.get(installation.bookingSystem);
      return connection(installation, configured, purpose);
    },
  };
}

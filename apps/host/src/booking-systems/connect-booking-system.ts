import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import type { Outbound } from '@waiver-service/outbound';
import { type ContextMaker, prepareBookingSystemContext } from '@waiver-service/plugin-kit';
import type { BookingSystemConfiguration } from '@waiver-service/store';
import type { BookingSystemConnector, ConnectionPurpose } from './booking-system-connection.ts';
import type { BookingSystemResolver } from './booking-system-resolver.ts';

/** What a connector is made of. */
export interface ConnectorParts {
  readonly bookingSystems: BookingSystemResolver;
  readonly outbound: Outbound;
}

type Purpose = ConnectionPurpose['purpose'];

/** A plugin, and what makes the context of each of its calls. */
interface PreparedConnection {
  readonly plugin: BookingSystemPlugin;
  readonly contextFor: ContextMaker<unknown, InstalledAccount>;
}

/** Connects pools to the booking systems installed for them. */
export function createBookingSystemConnector(parts: ConnectorParts): BookingSystemConnector {
  const { bookingSystems, outbound } = parts;
  // By the object itself: the store gives another one when anything was written.
  const kept = new WeakMap<BookingSystemConfiguration, Map<Purpose, PreparedConnection>>();

  function prepare(
    { installation, settings }: BookingSystemConfiguration,
    purpose: Purpose,
  ): PreparedConnection {
    const { pool, bookingSystem, account } = installation;
    const { information, accountId, apiKey } = account;
    const plugin = bookingSystems.resolve(bookingSystem);
    const contextFor = prepareBookingSystemContext({
      plugin,
      outbound,
      baseUrl: settings?.baseUrl ?? null,
      pool,
      settings: settings?.settings ?? {},
      account: { ...information, accountId, apiKey },
      purpose,
    });
    return { plugin, contextFor };
  }

  function preparedFor(configuration: BookingSystemConfiguration, purpose: Purpose): PreparedConnection {
    const ofPurposes = kept.get(configuration) ?? new Map<Purpose, PreparedConnection>();
    const known = ofPurposes.get(purpose);
    if (known !== undefined) return known;
    const made = prepare(configuration, purpose);
    kept.set(configuration, ofPurposes.set(purpose, made));
    return made;
  }

  return {
    connect(configuration, use) {
      const { plugin, contextFor } = preparedFor(configuration, use.purpose);
      return { plugin, context: contextFor(use) };
    },
  };
}

import type { BookingSystemContext, BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import type { Exchange } from '@waiver-service/outbound';
import type { BookingSystemConfiguration } from '@waiver-service/store';

/** What goes with each use of a booking system. */
export interface ConnectionPurpose {
  readonly purpose: 'read' | 'guest-update';
  readonly signal: AbortSignal;
  /** When all its calls must have ended, by `performance.now()`. */
  readonly deadlineAt?: number;
  /** Told of each call and its answer, for the log of tries. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** A plugin with all it needs for one call. */
export interface BookingSystemConnection {
  readonly plugin: BookingSystemPlugin;
  readonly context: BookingSystemContext<unknown, InstalledAccount>;
}

/** Connects a pool to a booking system that is installed for it. */
export interface BookingSystemConnector {
  /**
   * Connects by what is set up, as the store gave it for this use. What follows from it is made once and kept with it.
   * @throws HttpProblem 404 `unknown_booking_system`
   * @throws BookingSystemNotConfigured where settings, base address or account information are missing or wrong
   */
  connect(configuration: BookingSystemConfiguration, purpose: ConnectionPurpose): BookingSystemConnection;
}

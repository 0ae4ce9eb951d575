import type { BookingSystemContext, BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import type { Exchange } from '@waiver-service/outbound';
import type { Installation } from '@waiver-service/store';

/** What goes with each use of a booking system. */
export interface ConnectionPurpose {
  readonly purpose: 'read' | 'guest-update';
  readonly signal: AbortSignal;
  /** Told of each call and its answer, for the log of tries. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** What goes with one use of the booking system of a pool. */
export interface ConnectionRequest extends ConnectionPurpose {
  readonly pool: string;
  readonly bookingSystem: string;
}

/** A plugin with all it needs for one call. */
export interface BookingSystemConnection {
  readonly plugin: BookingSystemPlugin;
  readonly context: BookingSystemContext<unknown, InstalledAccount>;
}

/** Connects a pool to a booking system that is installed for it. */
export interface BookingSystemConnector {
  /**
   * @throws HttpProblem 404 `unknown_booking_system`, 424 `not_installed`
   * @throws BookingSystemNotConfigured where settings, base address or account information are missing or wrong
   */
  connect(request: ConnectionRequest): Promise<BookingSystemConnection>;
  /** The same for an installation that has been read already. */
  connectInstallation(
    installation: Installation,
    purpose: ConnectionPurpose,
  ): Promise<BookingSystemConnection>;
}

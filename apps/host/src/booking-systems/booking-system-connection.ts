import type { BookingSystemContext, BookingSystemPlugin } from '@waiver-service/core';

/** What goes with one use of a booking system. */
export interface ConnectionRequest {
  readonly pool: string;
  readonly bookingSystem: string;
  readonly purpose: 'read' | 'guest-update';
  readonly signal: AbortSignal;
  /** Told of each answer that came back, for the log of tries. */
  readonly onExchange?: (exchange: Exchange) => void;
}

/** One answer of a booking system, cut short and without secrets. */
export interface Exchange {
  readonly status: number;
  readonly excerpt: string;
}

/** A plugin with all it needs for one call. */
export interface BookingSystemConnection {
  readonly plugin: BookingSystemPlugin;
  readonly context: BookingSystemContext;
}

/** Connects a pool to a booking system that is installed for it. */
export interface BookingSystemConnector {
  /**
   * @throws HttpProblem 404 `unknown_booking_system`, 424 `not_installed`, 409 `booking_system_not_configured`
   * (the operator's settings, the base address or the account information are missing or wrong)
   */
  connect(request: ConnectionRequest): Promise<BookingSystemConnection>;
}

import type { BookingSystemSettings } from '../booking-systems/booking-systems.ts';
import type { Installation } from '../installations/installation.ts';

/** The configuration of one booking system for one pool. */
export interface BookingSystemConfiguration {
  readonly installation: Installation;
  /** The operator's settings of the booking system, if any. */
  readonly settings: BookingSystemSettings | undefined;
}

/** A destination's configuration at one moment. */
export interface DestinationVersion {
  readonly destination: string;
  /** Changes whenever any part of the configuration is written. */
  readonly settingsVersion: string;
}

/** An installation as it is set up at one moment. */
export interface InstalledVersion extends DestinationVersion {
  /** When the booking system, if it asked for fewer requests, may be asked again; by `performance.now()`. */
  readonly heldUntil: number;
}

/** The configuration of a pool that serving a request needs. */
export interface PoolSetup {
  readonly pool: string;
  /** Properties that are pre-filled in addition to name, email and phoneNumber. */
  readonly prefillProperties: readonly string[];
  /** The install names of the installed booking systems, sorted. */
  readonly bookingSystems: readonly string[];
  /** The install names of the booking systems that await an operator's approval. */
  readonly pendingBookingSystems: readonly string[];
  /** The installed booking system of requests that name none. */
  readonly defaultBookingSystem: string | null;
  /** A connection to a booking system, of the version that was read; undefined if it is not installed. */
  versionOf(bookingSystem: string): InstalledVersion | undefined;
}

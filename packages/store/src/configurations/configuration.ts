import type { BookingSystemSettings } from '../booking-systems/booking-systems.ts';
import type { Installation } from '../installations/installation.ts';

/** The configuration of one booking system for one pool. */
export interface BookingSystemConfiguration {
  readonly installation: Installation;
  /** The operator's settings of the booking system, where any were made. */
  readonly settings: BookingSystemSettings | undefined;
}

/** A destination as it is set up at one moment. */
export interface DestinationVersion {
  readonly destination: string;
  /** Another one whenever anything of the set-up was written. */
  readonly settingsVersion: string;
}

/** A pool, as far as it has to be known to serve a request for it. */
export interface PoolSetup {
  readonly pool: string;
  /** Properties that are pre-filled besides name, email and phoneNumber. */
  readonly prefillProperties: readonly string[];
  /** The install names of what is installed, in their order. */
  readonly bookingSystems: readonly string[];
  /** The install names of what waits for an operator's approval. */
  readonly pendingBookingSystems: readonly string[];
  /** The installed booking system that a request means if it names none. */
  readonly defaultBookingSystem: string | null;
  /** Where a booking system is called, at the version that was read; undefined where it is not installed. */
  versionOf(bookingSystem: string): DestinationVersion | undefined;
}

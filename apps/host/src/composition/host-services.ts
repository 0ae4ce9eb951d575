import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { BookingReader } from '../booking-reading/index.ts';
import type { BookingSystemConnector } from '../booking-systems/booking-system-connection.ts';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import type { HostSettings } from '../settings/host-settings.ts';

/** What routes are given. A route module names the part of it that it needs, with `Pick`. */
export interface HostServices {
  readonly settings: HostSettings;
  /** The public base address, without a slash at its end; known once the host listens. */
  readonly baseUrl: () => string;
  readonly store: Store;
  readonly outbound: Outbound;
  readonly bookingSystems: BookingSystemResolver;
  readonly connector: BookingSystemConnector;
  readonly bookingReader: BookingReader;
}

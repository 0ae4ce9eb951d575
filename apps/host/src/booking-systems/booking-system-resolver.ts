import type { BookingSystemManifest, BookingSystemPlugin } from '@waiver-service/core';

/** Finds the plugin of a booking system by its install name. */
export interface BookingSystemResolver {
  /** Every booking system there is, by install name. */
  manifests(): readonly BookingSystemManifest[];
  /**
   * The plugin of that install name.
   * @throws HttpProblem 404 `unknown_booking_system`, which lists the names there are
   */
  resolve(installName: string): BookingSystemPlugin;
}

import type { BookingSystemManifest, BookingSystemPlugin } from '@waiver-service/core';

/** Finds the plugin of a booking system by its install name. */
export interface BookingSystemResolver {
  /** All booking systems, by install name. */
  manifests(): readonly BookingSystemManifest[];
  /**
   * The plugin with an install name.
   * @throws HttpProblem 404 `unknown_booking_system`, which lists the known names
   */
  resolve(installName: string): BookingSystemPlugin;
}

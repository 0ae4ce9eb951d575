import type { BookingSystemManifest, BookingSystemPlugin } from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import type { Container, ServiceIdentifier } from 'inversify';

/** Bound without a name, once for each booking system, for listing. */
export const Manifest: ServiceIdentifier<BookingSystemManifest> = Symbol('Manifest');
/** Bound by install name. */
export const Plugin: ServiceIdentifier<BookingSystemPlugin> = Symbol('Plugin');

function unknownBookingSystem(installName: string, manifests: readonly BookingSystemManifest[]): HttpProblem {
  const names = manifests.map((manifest) => manifest.installName);
  const there = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`;
  return new HttpProblem(
    404,
    'unknown_booking_system',
    `There is no booking system ${JSON.stringify(installName.slice(0, 100))}. ${there}`,
  );
}

/** Finds the plugin of a booking system by its install name. It asks the container itself. */
export class BookingSystemResolver {
  constructor(private readonly container: Container) {}

  /** All booking systems, by install name. */
  manifests(): readonly BookingSystemManifest[] {
    const manifests = this.container.isBound(Manifest) ? this.container.getAll(Manifest) : [];
    return manifests.toSorted((one, other) => (one.installName < other.installName ? -1 : 1));
  }

  /**
   * The plugin with an install name.
   * @throws HttpProblem 404 `unknown_booking_system`, which lists the known names
   */
  resolve(installName: string): BookingSystemPlugin {
    // Checked first, because `get` of an unbound name fails with inversify's own message.
    if (!this.container.isBound(Plugin, { name: installName })) {
      throw unknownBookingSystem(installName, this.manifests());
    }
    return this.container.get(Plugin, { name: installName });
  }
}

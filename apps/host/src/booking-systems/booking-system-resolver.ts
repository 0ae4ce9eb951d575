import type { BookingSystemManifest, BookingSystemPlugin } from '@waiver-service/core';
import type { Container } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { HttpProblem } from '../http/http-problem.ts';

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

function unknownBookingSystem(installName: string, manifests: readonly BookingSystemManifest[]): HttpProblem {
  const names = manifests.map((manifest) => manifest.installName);
  const there = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`;
  return new HttpProblem(
    404,
    'unknown_booking_system',
    `There is no booking system ${JSON.stringify(installName.slice(0, 100))}. ${there}`,
  );
}

/** Creates the {@link BookingSystemResolver} of this host, which asks the container. */
export function createBookingSystemResolver(container: Container): BookingSystemResolver {
  const manifests = () =>
    (container.isBound(tokens.manifest) ? container.getAll(tokens.manifest) : []).toSorted((one, other) =>
      one.installName < other.installName ? -1 : 1,
    );
  return {
    manifests,
    resolve(installName) {
      // Checked first, because `get` of an unbound name fails with inversify's own message.
      if (!container.isBound(tokens.plugin, { name: installName })) {
        throw unknownBookingSystem(installName, manifests());
      }
      return container.get(tokens.plugin, { name: installName });
    },
  };
}

import type { BookingSystemManifest } from '@waiver-service/core';
import type { Container } from 'inversify';
import { HttpProblem } from '../http/http-problem.ts';
import type { BookingSystemResolver } from './booking-system-resolver.ts';
import { bookingSystemTokens as tokens } from './booking-systems-module.ts';

function unknownBookingSystem(installName: string, manifests: readonly BookingSystemManifest[]): HttpProblem {
  const names = manifests.map((manifest) => manifest.installName);
  const there = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`;
  return new HttpProblem(
    404,
    'unknown_booking_system',
    `There is no booking system ${JSON.stringify(installName.slice(0, 100))}. ${there}`,
  );
}

/** Resolves plugins from the container by install name. */
export function createContainerResolver(container: Container): BookingSystemResolver {
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

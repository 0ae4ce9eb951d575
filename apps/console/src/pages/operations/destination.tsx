import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { destinationsQuery } from '../../api/queries.ts';
import type { DeliveryKind, Destination } from '../../api/resources.ts';
import { texts } from '../../text/english.ts';

/** A destination's booking system or webhook. */
interface Named {
  readonly kind: DeliveryKind;
  readonly bookingSystem?: string | undefined;
  readonly webhook?: { readonly url: string } | undefined;
}

/** A destination's display name: the booking system, or the webhook's URL. */
export function nameOfDestination({ bookingSystem, webhook, kind }: Named): string {
  return bookingSystem ?? webhook?.url ?? texts.deliveryKinds[kind];
}

/** Its name and pool: many pools have the same booking system. */
export const nameWithPool = ({ pool, ...destination }: Named & { readonly pool: string }): string =>
  `${nameOfDestination(destination)} (${pool})`;

/** A destination's name, linked to its deliveries. */
export function DestinationName({ id, of }: { readonly id: string; readonly of: Named }) {
  return (
    <Link to="/deliveries" search={({ pool }) => ({ pool, destination: id })}>
      {nameOfDestination(of)}
    </Link>
  );
}

/** As {@link DestinationName}, when only the id is known. */
export function DestinationNameById({ id }: { readonly id: string }) {
  const { data } = useQuery({ ...destinationsQuery, staleTime: 60_000 });
  const destination = data?.find((one) => one.id === id);
  return destination === undefined ? id : <DestinationName id={id} of={destination} />;
}

type Signs = Pick<Destination, 'consecutiveFailures' | 'status' | 'installationStatus'>;

export const needsAttention = ({ status, consecutiveFailures, installationStatus }: Signs): boolean =>
  status === 'paused' ||
  consecutiveFailures > 0 ||
  installationStatus === 'pending' ||
  installationStatus === 'needs_attention';

/**
 * For sorting: refused installations, failing destinations, paused ones, pending installations. It does not change with
 * each message, so that rows stay where they are.
 */
export const urgency = ({ consecutiveFailures, status, installationStatus }: Signs): number =>
  (installationStatus === 'needs_attention' ? 8 : 0) +
  (consecutiveFailures > 0 ? 4 : 0) +
  (status === 'paused' ? 2 : 0) +
  (installationStatus === 'pending' ? 1 : 0);

/** As {@link urgency}, and of equals those first that have messages waiting. */
export const urgencyWithWaiting = ({ waiting, ...signs }: Signs & Pick<Destination, 'waiting'>): number =>
  urgency(signs) + (waiting > 0 ? 0.5 : 0);

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { destinationsQuery } from '../../api/queries.ts';
import type { Destination } from '../../api/resources.ts';
import { texts } from '../../text/english.ts';

/** A destination's name for people: the booking system, or the webhook's address. */
export function nameOfDestination({ bookingSystem, webhook, kind }: Destination): string {
  return bookingSystem ?? webhook?.url ?? texts.deliveryKinds[kind];
}

/** A destination by its name, as a link to what was sent there. */
export function DestinationName({ id }: { readonly id: string }) {
  const { data } = useQuery(destinationsQuery);
  const destination = data?.find((one) => one.id === id);
  return (
    <Link to="/deliveries" search={({ pool }) => ({ pool, destination: id })}>
      {destination === undefined ? id : nameOfDestination(destination)}
    </Link>
  );
}

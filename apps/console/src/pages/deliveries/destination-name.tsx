import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { destinationsQuery } from '../../api/queries.ts';
import type { DeliveryKind } from '../../api/resources.ts';
import { texts } from '../../text/english.ts';

/** The installation or webhook that a destination is called after, as it stands in a destination and in a delivery to one. */
interface Named {
  readonly kind: DeliveryKind;
  readonly bookingSystem?: string | undefined;
  readonly webhook?: { readonly url: string } | undefined;
}

/** A destination's name for people: the booking system, or the webhook's address. */
export function nameOfDestination({ bookingSystem, webhook, kind }: Named): string {
  return bookingSystem ?? webhook?.url ?? texts.deliveryKinds[kind];
}

interface DestinationNameProps {
  readonly id: string;
  readonly of: Named;
}

/** A destination by its name, as a link to what was sent there. */
export function DestinationName({ id, of }: DestinationNameProps) {
  return (
    <Link to="/deliveries" search={({ pool }) => ({ pool, destination: id })}>
      {nameOfDestination(of)}
    </Link>
  );
}

/** A destination of which only the id is at hand. */
export function DestinationNameById({ id }: { readonly id: string }) {
  const { data } = useQuery({ ...destinationsQuery, staleTime: 60_000 });
  const destination = data?.find((one) => one.id === id);
  return destination === undefined ? id : <DestinationName id={id} of={destination} />;
}

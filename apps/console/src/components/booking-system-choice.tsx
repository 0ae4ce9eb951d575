import { useQuery } from '@tanstack/react-query';
import { installationsQuery } from '../api/queries.ts';
import { texts } from '../text/english.ts';
import { ChoiceField } from './field.tsx';

interface BookingSystemChoiceProps {
  readonly pool: string;
  /** An install name; empty for the pool's default. */
  readonly value: string;
  readonly onChange: (bookingSystem: string) => void;
}

/** Chooses the booking system of a booking id; renders nothing if the pool has only one. */
export function BookingSystemChoice({ pool, value, onChange }: BookingSystemChoiceProps) {
  const { data: installations = [] } = useQuery(installationsQuery(pool));
  if (installations.length < 2) return null;
  return (
    <ChoiceField
      label={texts.fields.bookingSystem}
      value={value}
      choices={[
        ['', texts.bookings.defaultSystem],
        ...installations.map((one) => [one.bookingSystem, one.bookingSystem] as const),
      ]}
      onChange={onChange}
    />
  );
}

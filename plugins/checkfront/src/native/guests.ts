import type { Guest } from '@waiver-service/core';
import { type Reading, requiredObjects, textOf, vendorPerson } from '@waiver-service/plugin-kit';

/** Reads the guests of API v4. One whose form is not filled in yet has an id only. */
export function readGuests(reading: Reading, listed: readonly unknown[]): Guest[] {
  return requiredObjects(reading, listed, 'guests').map(
    ({ value: { uuid, firstName, lastName, email } }) => ({
      ...vendorPerson({ firstName, lastName, email }),
      id: textOf(uuid),
    }),
  );
}

/** Warns of more guests than people: then a parameter that counts people was not counted. */
export function warnOfUncountedGuests(reading: Reading, guests: readonly Guest[], pax: number): void {
  if (guests.length <= pax) return;
  const message = `the booking has ${guests.length} guests, and its items count ${pax} people; name the parameters that count people in guestParameters`;
  reading.warn('count_disagrees', 'guests', message);
}

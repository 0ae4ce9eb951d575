import { nameKey } from '@waiver-service/core';

/** The words of a name, in any order: "Bäcker, Zoë" is "Zoe Backer". */
const wordsOf = (name: string) => nameKey(name).split(' ').toSorted().join(' ');

/** A record that contains an address. */
export interface AddressRecord {
  readonly name: string | undefined;
  readonly dateOfBirth: string | undefined;
}

/**
 * Among the records with an address, those of the guest whom a booking names with this address. A whole family often
 * has the booker's address: then only the name identifies the guest, and not even that for a father and a son of the
 * same name.
 *
 * @returns none if that is ambiguous, such as for a guest without a name
 */
export function recordsOfGuest<Found extends AddressRecord>(
  guestName: string | undefined,
  records: readonly Found[],
): readonly Found[] {
  const wanted = wordsOf(guestName ?? '');
  const own = records.filter(({ name }) => wanted !== '' && wordsOf(name ?? '') === wanted);
  const people = new Set(
    own.map(({ name, dateOfBirth }) => JSON.stringify([wordsOf(name ?? ''), dateOfBirth])),
  );
  return people.size === 1 ? own : [];
}

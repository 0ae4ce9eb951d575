/** The words of a name, in any order, without case and accents: "Bäcker, Zoë" is "zoe backer". */
const wordsOf = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLocaleLowerCase('en')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .toSorted()
    .join(' ');

/** A record that an address stands on. */
export interface AddressRecord {
  readonly name: string | undefined;
  readonly dateOfBirth: string | undefined;
}

/**
 * The records, among those that an address stands on, of a guest whom a booking names with this address. A booker's address
 * often stands on a whole family: then only the name tells who is meant, and nothing does for a father and a son of one name.
 *
 * @returns none where that is not clear, such as for a guest without a name
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

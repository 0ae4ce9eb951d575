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

/**
 * The records, among those that an address stands on, of a guest whom a booking names with this address. A booker's address
 * often stands on a whole family: then only the name tells who is meant.
 *
 * @returns none where that is not clear
 */
export function recordsOfGuest<Found extends { readonly name: string | undefined }>(
  guestName: string | undefined,
  records: readonly Found[],
): readonly Found[] {
  const wanted = wordsOf(guestName ?? '');
  const people = new Set(records.map(({ name }) => wordsOf(name ?? '')));
  if (wanted === '') return people.size === 1 ? records : [];
  return records.filter(({ name }) => wordsOf(name ?? '') === wanted);
}

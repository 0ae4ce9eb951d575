import { type Guest, InvalidBookingResponse } from '@waiver-service/core';
import {
  expectObject,
  type JsonObject,
  objectOf,
  percentEncode,
  type Reading,
  raiseForFailure,
  requiredObjects,
  textOf,
  vendorPerson,
} from '@waiver-service/plugin-kit';
import type { Context } from '../account.ts';

const maxPages = 20;

const hasNextPage = ({ meta }: JsonObject) =>
  textOf(objectOf(objectOf(meta).records).nextPageUrl) !== undefined;

/**
 * Requests the guests of a booking from API v4, at a path relative to v3's base address; `undefined` if v4 does not
 * know the booking. The next page's URL is not followed, since it may point to any host. Throws core's errors.
 */
export async function fetchGuests({ http }: Context, code: string): Promise<readonly unknown[] | undefined> {
  const guests: unknown[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const params = guests.length === 0 ? {} : { offset: String(guests.length) };
    const response = await http.get(`../4.0/bookings/${percentEncode(code)}/guests/`, { params });
    if (response.status === 404) return undefined;
    if (response.status !== 200) raiseForFailure(response, 'Checkfront’s API v4');
    const body = expectObject(response.data);
    if (!Array.isArray(body.data)) {
      throw new InvalidBookingResponse('the answer of Checkfront’s API v4 has no list of guests');
    }
    guests.push(...body.data);
    if (body.data.length === 0 || !hasNextPage(body)) return guests;
  }
  throw new InvalidBookingResponse(`the booking’s guests fill more than ${maxPages} pages`);
}

/** Reads the guests of API v4. A guest whose form is not filled in yet has only an id. */
export function readGuests(reading: Reading, listed: readonly unknown[]): Guest[] {
  return requiredObjects(reading, listed, 'guests').map(
    ({ value: { uuid, firstName, lastName, email } }) => ({
      ...vendorPerson({ firstName, lastName, email }),
      id: textOf(uuid),
    }),
  );
}

/** Warns of more guests than people: some parameter that counts people was not counted. */
export function warnOfUncountedGuests(reading: Reading, guests: readonly Guest[], pax: number): void {
  if (guests.length <= pax) return;
  const message = `the booking has ${guests.length} guests, and its items count ${pax} people; name the parameters that count people in guestParameters`;
  reading.warn('count_disagrees', 'guests', message);
}

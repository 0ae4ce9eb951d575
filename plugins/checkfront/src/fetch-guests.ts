import { InvalidBookingResponse } from '@waiver-service/core';
import {
  expectObject,
  type JsonObject,
  objectOf,
  percentEncode,
  raiseForFailure,
  textOf,
} from '@waiver-service/plugin-kit';
import type { Context } from './settings.ts';

const maxPages = 20;

const hasNextPage = ({ meta }: JsonObject) =>
  textOf(objectOf(objectOf(meta).records).nextPageUrl) !== undefined;

/**
 * Requests the guests of a booking from API v4, which is beside the base address of v3; `undefined` if it does not know the
 * booking. The address of the next page is not followed, since it may be of any host. Throws core's errors.
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

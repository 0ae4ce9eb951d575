import {
  type BookingSystemHttp,
  type BookingSystemResponse,
  type BookingSystemSession,
  RateLimited,
} from '@waiver-service/core';
import {
  bookingSegment,
  expectObject,
  invalidIdReason,
  type JsonObject,
  type NoSettings,
  objectOf,
  percentEncode,
  sessionOfTokenAnswer,
} from '@waiver-service/plugin-kit';
import type { Account } from './account.ts';
import { coolingOffMs, displayName, raiseForRoller } from './answers.ts';

/** Required by ROLLER for every request. */
export const asJson = { headers: { Accept: 'application/json' } } as const;

/** Required by ROLLER for a request with a body. */
export const withJson = {
  headers: { Accept: 'application/json', 'Content-Type': 'application/json; charset=UTF-8' },
} as const;

interface HasHttp {
  readonly http: BookingSystemHttp;
}

/** Requests one booking, by its `uniqueId` or its `bookingReference`. Throws core's errors. */
export async function requestBooking({ http }: HasHttp, bookingId: string): Promise<JsonObject> {
  const response = await http.get(`bookings/${bookingSegment(bookingId, 'read')}`, asJson);
  raiseForRoller(response, { purpose: 'read', bookingId });
  return expectObject(response.data);
}

/** Sends a change to a booking. Resolves for a response of any status. */
export const putBooking = (
  { http }: HasHttp,
  bookingId: string,
  change: JsonObject,
): Promise<BookingSystemResponse> =>
  http.put(`bookings/${bookingSegment(bookingId, 'guest-update')}`, JSON.stringify(change), withJson);

async function requestOther({ http }: HasHttp, path: string, params = {}): Promise<BookingSystemResponse> {
  const response = await http.get(path, { ...asJson, params });
  if (response.status !== 404) raiseForRoller(response, { purpose: 'other' });
  return response;
}

/** A guest's record; empty if ROLLER has none with this id. */
export async function requestGuest(context: HasHttp, guestId: string): Promise<JsonObject> {
  if (invalidIdReason(guestId) !== undefined) return {};
  const response = await requestOther(context, `guests/${percentEncode(guestId)}`);
  return response.status === 404 ? {} : objectOf(response.data);
}

/** The venue that the API key belongs to. */
export const requestVenue = async (context: HasHttp): Promise<JsonObject> =>
  objectOf((await requestOther(context, 'venues/me')).data);

/** The same, to check the key: throws core's errors for a 404, too. */
export async function checkVenue({ http }: HasHttp): Promise<JsonObject> {
  const response = await http.get('venues/me', asJson);
  raiseForRoller(response, { purpose: 'other' });
  return expectObject(response.data);
}

/** All products that admit people. */
export const requestPasses = async (context: HasHttp): Promise<unknown> =>
  (await requestOther(context, 'products', { productType: 'Pass' })).data;

/**
 * ROLLER's client credentials, in a JSON body without a `grant_type`. ROLLER suspends keys that request too many
 * tokens, each of which is valid for a day.
 */
export const session: BookingSystemSession<NoSettings, Account> = {
  grant: 'client-credentials',
  async renew(context) {
    const { clientId, apiKey } = context.account;
    const credentials = JSON.stringify({ client_id: clientId, client_secret: apiKey });
    const response = await context.http.post('token', credentials, withJson);
    if (response.status === 429) {
      throw new RateLimited(`${displayName} gives no more tokens for now (status 429): try again later`, {
        upstreamStatus: 429,
        outboundErrorCode: 'http_status',
        retryAfterMs: coolingOffMs,
      });
    }
    return sessionOfTokenAnswer(response, context);
  },
};

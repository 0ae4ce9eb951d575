import { percentEncode } from '@waiver-service/plugin-kit';
import type { Call } from '../exchange.ts';
import type { CheckOptions } from '../options.ts';

/** The request for a booking (contract 4.1). `key`: default is the account's. */
export function readCall(
  options: CheckOptions,
  bookingId: string,
  key: string | undefined = options.apiKey,
): Call {
  const { pool } = options;
  const auth = { name: options.authHeaderName, key: key ?? '' };
  return options.pathShape === 'path'
    ? { method: 'GET', path: `bookings/${percentEncode(bookingId)}`, query: { pool }, auth }
    : { method: 'GET', path: 'bookings', query: { id: bookingId, pool }, auth };
}

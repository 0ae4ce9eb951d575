import { AuthenticationRejected, type BookingSystemResponse } from '@waiver-service/core';
import {
  BookingSystemNotConfigured,
  objectOf,
  raiseForRefusedWaiver,
  raiseForStatus,
  raiseRateLimited,
} from '@waiver-service/plugin-kit';

// The documents show a code in some places and a sentence in others.
const wordsOf = ({ data }: BookingSystemResponse) =>
  [objectOf(data).error, objectOf(data).code].filter((part) => typeof part === 'string').join(' ');

// Whoever asks too often gets a 403 as well, with other words or none.
const refusesTheKey = /app-key-invalid|user-key-invalid|app-invalid|key is invalid|invalid application/i;

/** Throws for refusals that are about the account, whatever was asked. */
function raiseForAccount(response: BookingSystemResponse): void {
  const words = wordsOf(response);
  const details = { upstreamStatus: response.status, outboundErrorCode: 'http_status' as const };
  if (response.status === 400 && /key-missing|parameter is required/i.test(words)) {
    throw new AuthenticationRejected('FareHarbor got no app key or user key: set both again', details);
  }
  if (response.status === 403 && !refusesTheKey.test(words)) raiseRateLimited(response, 'FareHarbor', words);
  if (response.status === 404 && /company-shortname-invalid|valid company shortname/i.test(words)) {
    const message = 'FareHarbor knows no company of this shortname: install again, with the right one';
    throw new BookingSystemNotConfigured(message, details);
  }
}

/** Throws what an answer means that is not a booking. */
export function raiseForRead(response: BookingSystemResponse, bookingId: string): void {
  raiseForAccount(response);
  const words = wordsOf(response);
  // In FareHarbor's own words a 404 is sure; in a proxy's it may be a wrong address, and the error says so.
  const isSure = /booking-uuid-invalid|valid booking uuid/i.test(words);
  const data = isSure ? { success: false, message: words } : response.data;
  raiseForStatus({ ...response, data }, { bookingSystem: 'FareHarbor', bookingId });
}

/** Throws what an answer to a note means that is not a success. */
export function raiseForWrite(response: BookingSystemResponse): void {
  raiseForAccount(response);
  raiseForRefusedWaiver(response, 'FareHarbor', wordsOf(response));
}

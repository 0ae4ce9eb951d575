import { AuthenticationRejected, type BookingSystemResponse } from '@waiver-service/core';
import {
  BookingSystemNotConfigured,
  objectOf,
  raiseForRefusedWaiver,
  raiseForStatus,
  raiseRateLimited,
} from '@waiver-service/plugin-kit';

// FareHarbor's documentation shows a code in some places and a sentence in others.
const vendorMessageOf = ({ data }: BookingSystemResponse) =>
  [objectOf(data).error, objectOf(data).code].filter((part) => typeof part === 'string').join(' ');

// A 403 without one of these is the rate limit.
const keyRejected = /app-key-invalid|user-key-invalid|app-invalid|key is invalid|invalid application/i;

/** Throws for errors that concern the account rather than the booking. */
function raiseForAccount(response: BookingSystemResponse): void {
  const vendorMessage = vendorMessageOf(response);
  const details = { upstreamStatus: response.status, outboundErrorCode: 'http_status' as const };
  if (response.status === 400 && /key-missing|parameter is required/i.test(vendorMessage)) {
    throw new AuthenticationRejected('FareHarbor got no app key or user key: set both again', details);
  }
  if (response.status === 403 && !keyRejected.test(vendorMessage)) {
    raiseRateLimited(response, 'FareHarbor', vendorMessage);
  }
  if (response.status === 404 && /company-shortname-invalid|valid company shortname/i.test(vendorMessage)) {
    const message = 'FareHarbor knows no company of this shortname: install again, with the right one';
    throw new BookingSystemNotConfigured(message, details);
  }
}

/** Throws the error for the response to a read; a 2xx passes. */
export function raiseForRead(response: BookingSystemResponse, bookingId: string): void {
  raiseForAccount(response);
  const vendorMessage = vendorMessageOf(response);
  // FareHarbor's own 404 is reliable; any other may be due to a wrong address, which the error then mentions.
  const isReliable = /booking-uuid-invalid|valid booking uuid/i.test(vendorMessage);
  const data = isReliable ? { success: false, message: vendorMessage } : response.data;
  raiseForStatus({ ...response, data }, { bookingSystem: 'FareHarbor', bookingId });
}

/** Throws the error for the response to writing a note; a 2xx passes. */
export function raiseForWrite(response: BookingSystemResponse): void {
  raiseForAccount(response);
  raiseForRefusedWaiver(response, 'FareHarbor', vendorMessageOf(response));
}

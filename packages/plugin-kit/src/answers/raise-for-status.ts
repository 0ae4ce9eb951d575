import { BookingNotFound, type BookingSystemResponse, BookingSystemUnavailable } from '@waiver-service/core';
import { isJsonObject, quoted } from '../reading/json.ts';
import { detailsOf, isSuccess, keyRejected, throttled } from './answer-errors.ts';
import { quoteVendorMessage } from './vendor-message.ts';

/** Details for an error message about a response. */
export interface AnswerSubject {
  /** The booking system's display name. */
  readonly bookingSystem: string;
  readonly bookingId: string;
  /** The error message in the response. */
  readonly vendorMessage?: string;
}

const isContractNotFound = (body: unknown) =>
  isJsonObject(body) && body.success === false && typeof body.message === 'string';

function notFound(response: BookingSystemResponse, subject: AnswerSubject): BookingNotFound {
  const message = `${subject.bookingSystem} has no booking ${quoted(subject.bookingId)}${quoteVendorMessage(subject.vendorMessage)}`;
  const hint = isContractNotFound(response.data)
    ? ''
    : '; its 404 was not in the form of the contract, and a wrong base address looks the same: check that too';
  return new BookingNotFound(`${message}${hint}`, { upstreamStatus: 404, outboundErrorCode: 'http_status' });
}

/**
 * Throws core's error for a status other than 2xx: BookingNotFound for 404, AuthenticationRejected for 401 and 403,
 * RateLimited for 429 and 420, BookingSystemUnavailable for any other (contract 4.1, 7).
 */
export function raiseForStatus(response: BookingSystemResponse, subject: AnswerSubject): void {
  const { status } = response;
  if (isSuccess(status)) return;
  if (status === 404) throw notFound(response, subject);
  raiseForFailure(response, subject.bookingSystem, subject.vendorMessage);
}

/** Like {@link raiseForStatus}, for requests where a 404 is not about a booking. Always throws. */
export function raiseForFailure(
  response: BookingSystemResponse,
  bookingSystem: string,
  vendorMessage?: string,
): never {
  const { status } = response;
  const answer = { response, bookingSystem, vendorMessage };
  if (status === 401 || status === 403) throw keyRejected(answer);
  // 420 predates 429; FareHarbor, for one, still uses it.
  if (status === 429 || status === 420) throw throttled(answer);
  throw new BookingSystemUnavailable(
    `${bookingSystem} answered with status ${status}${quoteVendorMessage(vendorMessage)}: ${status >= 500 ? 'its own fault, try again later' : 'check its base address and the account'}`,
    detailsOf(answer),
  );
}

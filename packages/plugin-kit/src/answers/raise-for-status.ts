import {
  AuthenticationRejected,
  BookingNotFound,
  type BookingSystemResponse,
  BookingSystemUnavailable,
  RateLimited,
} from '@waiver-service/core';
import { retryAfterOf } from '@waiver-service/outbound';
import { isJsonObject, quoted } from '../reading/json.ts';

/** What a message about an answer names. */
export interface AnswerSubject {
  /** The booking system's display name. */
  readonly bookingSystem: string;
  readonly bookingId: string;
}

const isContractNotFound = (body: unknown) =>
  isJsonObject(body) && body.success === false && typeof body.message === 'string';

function notFound(response: BookingSystemResponse, subject: AnswerSubject): BookingNotFound {
  const said = `${subject.bookingSystem} has no booking ${quoted(subject.bookingId)}`;
  const hint = isContractNotFound(response.data)
    ? ''
    : '; its 404 was not in the form of the contract, and a wrong base address looks the same: check that too';
  return new BookingNotFound(`${said}${hint}`, { upstreamStatus: 404, outboundErrorCode: 'http_status' });
}

/**
 * Throws core's error for a status that is not a success: 404 BookingNotFound, 401 and 403 AuthenticationRejected,
 * 429 (and 420) RateLimited, everything else BookingSystemUnavailable. `retryAfter` is in milliseconds. Contract 4.1, 7.
 */
export function raiseForStatus(response: BookingSystemResponse, subject: AnswerSubject): void {
  const { status } = response;
  if (status >= 200 && status < 300) return;
  if (status === 404) throw notFound(response, subject);
  raiseForFailure(response, subject.bookingSystem);
}

/** The same for calls where a 404 says nothing about a booking, such as Guest Update. Always throws. */
export function raiseForFailure(response: BookingSystemResponse, bookingSystem: string): never {
  const { status } = response;
  const retryAfter = retryAfterOf(response.headers, new Date());
  const details = {
    upstreamStatus: status,
    outboundErrorCode: 'http_status' as const,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
  if (status === 401 || status === 403) {
    throw new AuthenticationRejected(
      `${bookingSystem} does not accept the account’s API key (status ${status}): install again, with a valid key`,
      details,
    );
  }
  // 420 is what some systems, FareHarbor among them, answered before there was a 429.
  if (status === 429 || status === 420) {
    throw new RateLimited(
      `${bookingSystem} asks for fewer requests (status ${status}): try again later`,
      details,
    );
  }
  throw new BookingSystemUnavailable(
    `${bookingSystem} answered with status ${status}: ${status >= 500 ? 'its own fault, try again later' : 'check its base address and the account'}`,
    details,
  );
}

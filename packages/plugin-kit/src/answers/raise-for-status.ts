import {
  AuthenticationRejected,
  BookingNotFound,
  type BookingSystemResponse,
  BookingSystemUnavailable,
  RateLimited,
} from '@waiver-service/core';
import { retryAfterMsOf } from '@waiver-service/outbound';
import { isJsonObject, quoted } from '../reading/json.ts';
import { saying } from './saying.ts';

/** What a message about an answer names. */
export interface AnswerSubject {
  /** The booking system's display name. */
  readonly bookingSystem: string;
  readonly bookingId: string;
  /** What the booking system said in its answer, in its own words. */
  readonly words?: string;
}

const isContractNotFound = (body: unknown) =>
  isJsonObject(body) && body.success === false && typeof body.message === 'string';

function notFound(response: BookingSystemResponse, subject: AnswerSubject): BookingNotFound {
  const said = `${subject.bookingSystem} has no booking ${quoted(subject.bookingId)}${saying(subject.words)}`;
  const hint = isContractNotFound(response.data)
    ? ''
    : '; its 404 was not in the form of the contract, and a wrong base address looks the same: check that too';
  return new BookingNotFound(`${said}${hint}`, { upstreamStatus: 404, outboundErrorCode: 'http_status' });
}

/**
 * Throws core's error for a status that is not a success: 404 BookingNotFound, 401 and 403 AuthenticationRejected,
 * 429 (and 420) RateLimited, everything else BookingSystemUnavailable. Contract 4.1, 7.
 */
export function raiseForStatus(response: BookingSystemResponse, subject: AnswerSubject): void {
  const { status } = response;
  if (status >= 200 && status < 300) return;
  if (status === 404) throw notFound(response, subject);
  raiseForFailure(response, subject.bookingSystem, subject.words);
}

function detailsOf({ status, headers }: BookingSystemResponse) {
  const retryAfterMs = retryAfterMsOf(headers, new Date());
  return {
    upstreamStatus: status,
    outboundErrorCode: 'http_status' as const,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Throws RateLimited, for an answer by which a vendor asks for fewer requests, whatever its status. */
export function raiseRateLimited(
  response: BookingSystemResponse,
  bookingSystem: string,
  words?: string,
): never {
  throw new RateLimited(
    `${bookingSystem} asks for fewer requests (status ${response.status})${saying(words)}: try again later`,
    detailsOf(response),
  );
}

/** What {@link raiseForStatus} throws where a 404 says nothing about a booking, as in Guest Update. Always throws. */
export function raiseForFailure(
  response: BookingSystemResponse,
  bookingSystem: string,
  words?: string,
): never {
  const { status } = response;
  const details = detailsOf(response);
  if (status === 401 || status === 403) {
    throw new AuthenticationRejected(
      `${bookingSystem} does not accept the account’s API key (status ${status})${saying(words)}: install again, with a valid key`,
      details,
    );
  }
  // 420 is what some systems, FareHarbor among them, answered before there was a 429.
  if (status === 429 || status === 420) raiseRateLimited(response, bookingSystem, words);
  throw new BookingSystemUnavailable(
    `${bookingSystem} answered with status ${status}${saying(words)}: ${status >= 500 ? 'its own fault, try again later' : 'check its base address and the account'}`,
    details,
  );
}

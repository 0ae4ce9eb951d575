import {
  AuthenticationRejected,
  BookingNotFound,
  type BookingSystemResponse,
  BookingSystemUnavailable,
  isBodyRejected,
  isBookingSystemError,
  RateLimited,
  type RateLimitedDetails,
  WaiverRejected,
} from '@waiver-service/core';
import { retryAfterMsOf } from '@waiver-service/outbound';
import { isJsonObject, quoted } from '../reading/json.ts';

const maxLength = 200;

// Cuts at a word boundary: redaction would not recognize half a key.
function truncate(text: string): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength + 1);
  return `${start.slice(0, Math.max(start.search(/\s\S*$/), 0))}…`;
}

/** The vendor's own error message, as a suffix for ours; empty if there is none. */
export const quoteVendorMessage = (vendorMessage = ''): string =>
  vendorMessage === '' ? '' : `, saying ${JSON.stringify(truncate(vendorMessage))}`;

/** A response, with further details for an error about it. */
export interface ExplainedAnswer {
  readonly response: BookingSystemResponse;
  /** The booking system's display name. */
  readonly bookingSystem: string;
  readonly vendorMessage?: string | undefined;
  /** Milliseconds to wait. Default: what `Retry-After` says. */
  readonly retryAfterMs?: number | undefined;
}

/** Whether a status counts as success. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The details of an error about a response. */
export function detailsOf({ response, retryAfterMs }: ExplainedAnswer): RateLimitedDetails {
  const { status: upstreamStatus, headers } = response;
  const waitMs = retryAfterMs ?? retryAfterMsOf(headers, new Date());
  return {
    upstreamStatus,
    outboundErrorCode: isSuccess(upstreamStatus) ? 'not_accepted' : 'http_status',
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
}

/** The error for a response that asks for fewer requests. */
export function throttled(answer: ExplainedAnswer): RateLimited {
  const { response, bookingSystem, vendorMessage } = answer;
  return new RateLimited(
    `${bookingSystem} asks for fewer requests (status ${response.status})${quoteVendorMessage(vendorMessage)}: try again later`,
    detailsOf(answer),
  );
}

/** The error for a response that rejects the account's key. */
export function keyRejected(answer: ExplainedAnswer): AuthenticationRejected {
  const { response, bookingSystem, vendorMessage } = answer;
  return new AuthenticationRejected(
    `${bookingSystem} does not accept the account’s API key (status ${response.status})${quoteVendorMessage(vendorMessage)}: install again, with a valid key`,
    detailsOf(answer),
  );
}

/** The error for a response that refuses a request which may have had the right key. */
export function notPermitted(answer: ExplainedAnswer): AuthenticationRejected {
  const { response, bookingSystem, vendorMessage } = answer;
  return new AuthenticationRejected(
    `${bookingSystem} refuses this to the account’s API key (status ${response.status})${quoteVendorMessage(vendorMessage)}: the key may be wrong, lack a permission, or belong to another account`,
    detailsOf(answer),
  );
}

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
  if (status === 401) throw keyRejected(answer);
  if (status === 403) throw notPermitted(answer);
  // 420 predates 429; FareHarbor, for one, still uses it.
  if (status === 429 || status === 420) throw throttled(answer);
  throw new BookingSystemUnavailable(
    `${bookingSystem} answered with status ${status}${quoteVendorMessage(vendorMessage)}: ${status >= 500 ? 'its own fault, try again later' : 'check its base address and the account'}`,
    detailsOf(answer),
  );
}

/**
 * Throws the error for the response to a vendor-specific write; a 2xx passes. A 410 is never retried; a rejected body
 * gets three attempts; a 404 gets the whole schedule, because its cause, such as a mistyped account, may be fixed. Any
 * other status throws the same error as for a read.
 */
export function raiseForRefusedWaiver(
  response: BookingSystemResponse,
  bookingSystem: string,
  vendorMessage = '',
): void {
  const { status } = response;
  if (isSuccess(status)) return;
  if (status !== 404 && status !== 410 && !isBodyRejected(status))
    raiseForFailure(response, bookingSystem, vendorMessage);
  throw new WaiverRejected(
    `${bookingSystem} did not take the waiver (status ${status})${quoteVendorMessage(vendorMessage)}`,
    {
      retry: status === 410 ? 'never' : status === 404 ? 'schedule' : 'three-attempts',
      upstreamStatus: status,
      outboundErrorCode: 'http_status',
    },
  );
}

/**
 * Rethrows an error of the read that precedes a write. BookingNotFound becomes a rejection that is retried by the whole
 * schedule: the booking existed when the waiver was signed, and the cause, such as a mistyped account, may be fixed.
 */
export function rejectNotFound(error: unknown): never {
  if (!isBookingSystemError(error) || error.code !== 'booking_not_found') throw error;
  throw new WaiverRejected(error.message, { retry: 'schedule', upstreamStatus: error.upstreamStatus ?? 404 });
}

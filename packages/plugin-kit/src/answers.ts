import {
  AuthenticationRejected,
  BookingNotFound,
  type BookingSystemAccess,
  type BookingSystemError,
  type BookingSystemHttp,
  type BookingSystemPlugin,
  type BookingSystemResponse,
  BookingSystemUnavailable,
  isBodyRejected,
  isBookingSystemError,
  RateLimited,
  type RateLimitedDetails,
  WaiverRejected,
} from '@waiver-service/core';
import { retryAfterMsOf } from '@waiver-service/outbound';
import { isJsonObject, quoted } from './reading/json.ts';
import { objectOf, textOf } from './reading/vendor-fields.ts';

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

/** The vendor's error message in a response's body: the texts at these names, joined; empty if there is none. */
export const vendorMessageIn = (data: unknown, ...names: readonly string[]): string =>
  names
    .map((name) => textOf(objectOf(data)[name]))
    .filter((text) => text !== undefined)
    .join(': ');

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
function notPermitted(answer: ExplainedAnswer): AuthenticationRejected {
  const { response, bookingSystem, vendorMessage } = answer;
  return new AuthenticationRejected(
    `${bookingSystem} refuses this to the account’s API key (status ${response.status})${quoteVendorMessage(vendorMessage)}: the key may be wrong, lack a permission, or belong to another account`,
    detailsOf(answer),
  );
}

/** The error for any other status that is no success. */
export function failureOf(answer: ExplainedAnswer): BookingSystemError {
  const { response, bookingSystem, vendorMessage } = answer;
  const { status } = response;
  if (status === 401) return keyRejected(answer);
  if (status === 403) return notPermitted(answer);
  // 420 predates 429; FareHarbor, for one, still uses it.
  if (status === 429 || status === 420) return throttled(answer);
  return new BookingSystemUnavailable(
    `${bookingSystem} answered with status ${status}${quoteVendorMessage(vendorMessage)}: ${status >= 500 ? 'its own fault, try again later' : 'check its base address and the account'}`,
    detailsOf(answer),
  );
}

const isContractNotFound = (body: unknown) =>
  isJsonObject(body) && body.success === false && typeof body.message === 'string';

function notFound({ response, bookingSystem, vendorMessage }: ExplainedAnswer, bookingId: string) {
  const message = `${bookingSystem} has no booking ${quoted(bookingId)}${quoteVendorMessage(vendorMessage)}`;
  const hint = isContractNotFound(response.data)
    ? ''
    : '; its 404 was not in the form of the contract, and a wrong base address looks the same: check that too';
  return new BookingNotFound(`${message}${hint}`, { upstreamStatus: 404, outboundErrorCode: 'http_status' });
}

/** The error for a refused write; `undefined` for a status that says nothing about the waiver. */
function refusalOf({ response, bookingSystem, vendorMessage }: ExplainedAnswer): WaiverRejected | undefined {
  const { status } = response;
  if (status !== 404 && status !== 410 && !isBodyRejected(status)) return undefined;
  return new WaiverRejected(
    `${bookingSystem} did not take the waiver (status ${status})${quoteVendorMessage(vendorMessage)}`,
    {
      retry: status === 410 ? 'never' : status === 404 ? 'schedule' : 'three-attempts',
      upstreamStatus: status,
      outboundErrorCode: 'http_status',
    },
  );
}

/**
 * The purpose of a request, which decides the error that a failure becomes. `other`: not about a single booking, such as
 * a list or a webhook.
 */
export type RequestPurpose =
  | { readonly purpose: 'read'; readonly bookingId: string }
  | { readonly purpose: 'guest-update' | 'other' };

/** The request that a response answers. */
export type AnsweredRequest = RequestPurpose & {
  /** The booking system's display name. */
  readonly bookingSystem: string;
  /** The error message in the response. */
  readonly vendorMessage?: string | undefined;
};

/**
 * Throws core's error for a status other than 2xx: AuthenticationRejected for 401 and 403, RateLimited for 429 and 420,
 * BookingSystemUnavailable for any other (contract 4.1, 7). By the request's purpose, some statuses mean more:
 *
 * - `read`: a 404 is BookingNotFound.
 * - `guest-update`: a 410 is never retried; a rejected body gets three attempts; a 404 gets the whole schedule, because
 *   its cause, such as a mistyped account, may be fixed. All of them are WaiverRejected.
 */
export function raiseForStatus(response: BookingSystemResponse, request: AnsweredRequest): void {
  const { status } = response;
  if (isSuccess(status)) return;
  const { bookingSystem, vendorMessage } = request;
  const answer = { response, bookingSystem, vendorMessage };
  if (request.purpose === 'read' && status === 404) throw notFound(answer, request.bookingId);
  throw (request.purpose === 'guest-update' ? refusalOf(answer) : undefined) ?? failureOf(answer);
}

/**
 * Rethrows an error of a write. BookingNotFound, of the read that precedes it, becomes a rejection that is retried by
 * the whole schedule: the booking existed when the waiver was signed, and the cause, such as a mistyped account, may be
 * fixed.
 */
export function rejectNotFound(error: unknown): never {
  if (!isBookingSystemError(error) || error.code !== 'booking_not_found') throw error;
  throw new WaiverRejected(error.message, { retry: 'schedule', upstreamStatus: error.upstreamStatus ?? 404 });
}

/** The purpose of requests, and the booking they are about, if it is a single one. */
interface JudgedRequests {
  readonly purpose: BookingSystemAccess['purpose'];
  readonly bookingId?: string | undefined;
}

function noBooking(
  answer: ExplainedAnswer,
  { purpose, bookingId }: JudgedRequests,
  isGone: boolean,
): BookingSystemError {
  const { bookingSystem, vendorMessage } = answer;
  if (bookingId === undefined) {
    const message = `${bookingSystem} has nothing at this address${quoteVendorMessage(vendorMessage)}: check its base address and the account`;
    return new BookingSystemUnavailable(message, detailsOf(answer));
  }
  const message = `${bookingSystem} has no booking ${quoted(bookingId)}${isGone ? ' any more' : ''}${quoteVendorMessage(vendorMessage)}`;
  if (purpose === 'read') return new BookingNotFound(message, detailsOf(answer));
  return new WaiverRejected(message, { ...detailsOf(answer), retry: isGone ? 'never' : 'schedule' });
}

/** The response behind an error for a redirect: only its status, since a redirect is neither followed nor read. */
function redirectOf(error: unknown): BookingSystemResponse | undefined {
  if (!isBookingSystemError(error) || error.outboundErrorCode !== 'redirect') return undefined;
  const { upstreamStatus } = error;
  return upstreamStatus === undefined ? undefined : { status: upstreamStatus, headers: {}, data: undefined };
}

function judgingHttp(
  http: BookingSystemHttp,
  judge: (asking: Promise<BookingSystemResponse>) => Promise<BookingSystemResponse>,
): BookingSystemHttp {
  return {
    get: (url, request) => judge(http.get(url, request)),
    delete: (url, request) => judge(http.delete(url, request)),
    post: (url, body, request) => judge(http.post(url, body, request)),
    put: (url, body, request) => judge(http.put(url, body, request)),
    patch: (url, body, request) => judge(http.patch(url, body, request)),
  };
}

/**
 * Wraps the context of a plugin with a `judgeAnswer`: a request whose response it can judge rejects with the error for
 * that meaning. Without `judgeAnswer`, returns the context itself.
 */
export function judgingContext<Context extends { readonly http: BookingSystemHttp }>(
  { displayName, judgeAnswer }: Pick<BookingSystemPlugin, 'displayName' | 'judgeAnswer'>,
  context: Context,
  requests: JudgedRequests | undefined,
): Context {
  if (judgeAnswer === undefined) return context;
  const http = judgingHttp(context.http, async (asking) => {
    const response = await asking.catch((error: unknown) => {
      const redirect = redirectOf(error);
      if (redirect === undefined || judgeAnswer(redirect) === undefined) throw error;
      return redirect;
    });
    const judged = judgeAnswer(response);
    if (judged === undefined) return response;
    const { meaning, ...explanation } = judged;
    const answer = { response, bookingSystem: displayName, ...explanation };
    if (meaning === 'throttled') throw throttled(answer);
    if (meaning === 'bad-key') throw keyRejected(answer);
    if (meaning === 'no-permission') throw notPermitted(answer);
    // Not about bookings: the plugin itself must interpret what was not found.
    if (requests === undefined) return response;
    throw noBooking(answer, requests, meaning === 'gone');
  });
  return { ...context, http };
}

import {
  BookingNotFound,
  type BookingSystemAccess,
  type BookingSystemError,
  type BookingSystemHttp,
  type BookingSystemPlugin,
  type BookingSystemResponse,
  BookingSystemUnavailable,
  isBookingSystemError,
  WaiverRejected,
} from '@waiver-service/core';
import { quoted } from '../reading/json.ts';
import {
  detailsOf,
  type ExplainedAnswer,
  keyRejected,
  notPermitted,
  quoteVendorMessage,
  throttled,
} from './raise-for-status.ts';

/** The purpose of requests, and the booking they are about, if it is a single one. */
export interface JudgedRequests {
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

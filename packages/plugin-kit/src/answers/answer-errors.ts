import {
  AuthenticationRejected,
  type BookingSystemResponse,
  RateLimited,
  type RateLimitedDetails,
} from '@waiver-service/core';
import { retryAfterMsOf } from '@waiver-service/outbound';
import { quoteVendorMessage } from './vendor-message.ts';

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

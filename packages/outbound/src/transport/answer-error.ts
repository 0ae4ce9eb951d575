import {
  type BookingSystemError,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  type OutboundErrorCode,
} from '@waiver-service/core';
import type { TransportResult } from './transport.ts';

const isCertainStatus = (status: number | undefined) => status !== undefined && status >= 400;
const isRedirect = (status: number | undefined) => status !== undefined && status >= 300 && status < 400;

const sentences: Record<Exclude<OutboundErrorCode, 'http_status' | 'not_accepted' | 'timeout'>, string> = {
  dns_error: 'has a name that does not resolve: check its address',
  connection_refused: 'does not accept connections: check its address, or wait until it is up again',
  connection_reset: 'closed the connection before the whole answer had arrived',
  tls_error: 'could not be reached by TLS: check its certificate, and that the address speaks https',
  redirect: 'answered with a redirect, which is not followed: set the address that it leads to',
  response_too_large: 'answered with more than may be read',
  blocked_address: 'may not be reached',
};

function sentenceOf(code: OutboundErrorCode | undefined, cause: unknown): string {
  if (code === 'blocked_address' && cause instanceof Error) return `may not be reached: ${cause.message}`;
  if (code === undefined || code === 'http_status' || code === 'not_accepted' || code === 'timeout') {
    return 'was not called: the request cannot be written as HTTP (a header value with a line break, say)';
  }
  return sentences[code];
}

function timeoutError(result: TransportResult, peer: string, timeoutMs: number): BookingSystemTimeout {
  const inDoubt = result.started;
  const message = result.failure?.givenUp
    ? `the call to ${peer} was given up`
    : `${peer} ${inDoubt ? 'did not answer' : 'could not be connected to'} within ${timeoutMs} ms`;
  return new BookingSystemTimeout(message, { outboundErrorCode: 'timeout', inDoubt });
}

/**
 * The error for a call that brought no answer that counts; `undefined` where there is an answer. A failure status
 * is an answer even where its body was cut off: the refusal is certain. A 2xx that was cut off is in doubt.
 */
export function errorOfResult(
  result: TransportResult,
  peer: () => string,
  timeoutMs: number,
): BookingSystemError | undefined {
  const { status, failure, started } = result;
  if (isRedirect(status)) {
    return new BookingSystemUnavailable(`${peer()} ${sentences.redirect} (${status})`, {
      outboundErrorCode: 'redirect',
      ...(status === undefined ? {} : { upstreamStatus: status }),
    });
  }
  if (!failure || isCertainStatus(status)) return undefined;
  if (failure.code === 'timeout') return timeoutError(result, peer(), timeoutMs);
  const details = {
    inDoubt: started && failure.code !== undefined,
    ...(failure.code === undefined ? {} : { outboundErrorCode: failure.code }),
    ...(status === undefined ? {} : { upstreamStatus: status }),
  };
  const message = `${peer()} ${sentenceOf(failure.code, failure.cause)}`;
  return failure.code === 'response_too_large'
    ? new InvalidBookingResponse(message, [], details)
    : new BookingSystemUnavailable(message, details);
}

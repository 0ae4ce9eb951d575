import {
  type BookingSystemError,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  type OutboundErrorCode,
} from '@waiver-service/core';
import type { DecodingProblem } from './decode-body.ts';
import type { TransportResult } from './transport.ts';

const isCertainStatus = (status: number | undefined) => status !== undefined && status >= 400;
const isRedirect = (status: number | undefined) => status !== undefined && status >= 300 && status < 400;

const sentences: Record<Exclude<OutboundErrorCode, 'http_status' | 'not_accepted' | 'timeout'>, string> = {
  dns_error: 'has a name that does not resolve',
  connection_refused: 'does not accept connections: check its address, or wait until it is up again',
  connection_reset: 'closed the connection before the whole answer had arrived',
  tls_error: 'could not be reached by TLS: check its certificate, and that the address speaks https',
  redirect: 'answered with a redirect, which is not followed: set the address that it leads to',
  response_too_large: 'answered with more than may be read',
  blocked_address: 'may not be reached',
};

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

function tlsSentence(cause: unknown): string {
  if (!(cause instanceof Error)) return sentences.tls_error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (untrusted.has(code)) {
    return `has a certificate that is not trusted here (${cause.message}): have it signed by a known authority, or set NODE_EXTRA_CA_CERTS to the PEM file of the certificate or of its authority`;
  }
  if (code === 'CERT_HAS_EXPIRED') return 'has a certificate that has expired: renew it';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `has the certificate of another host (${cause.message})`;
  return sentences.tls_error;
}

function sentenceOf(code: OutboundErrorCode | undefined, cause: unknown): string {
  if (code === 'tls_error') return tlsSentence(cause);
  if (code === 'blocked_address' && cause instanceof Error) return `may not be reached: ${cause.message}`;
  if (code === 'dns_error' && cause instanceof Error) {
    return `${sentences.dns_error} (${cause.message}): check its address`;
  }
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
 * The error for a call without a valid response; `undefined` if there is one. A failure status is valid even if its
 * body was cut off, because the rejection is certain. A 2xx that was cut off is in doubt.
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

/** The error for a response that arrived, and whose body cannot be decoded; none if its status is a failure. */
export function errorOfUnreadable(
  { status }: TransportResult,
  { sentence, isTooLarge }: DecodingProblem,
  peer: () => string,
): BookingSystemError | undefined {
  if (isCertainStatus(status)) return undefined;
  return new InvalidBookingResponse(`${peer()} ${sentence}`, [], {
    inDoubt: true,
    ...(isTooLarge ? { outboundErrorCode: 'response_too_large' as const } : {}),
    ...(status === undefined ? {} : { upstreamStatus: status }),
  });
}

import type { OutboundErrorCode } from '@waiver-service/core';
import { AddressRefused } from '../addresses/address-guard.ts';
import { NameNotResolved } from '../names/query-addresses.ts';

const connectionRefused = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
]);
const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const resets = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET']);

function codeOf(error: unknown): string {
  // Every address failed to connect; the first failure stands for all.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether the other end closed the connection, rather than sent something that is no HTTP. */
export const isClosedConnection = (error: unknown): boolean => resets.has(codeOf(error));

/**
 * Maps a transport error to core's list of failures; `undefined` if the request itself was invalid (a header value that
 * HTTP does not allow). `started`: whether the connection was established.
 */
export function outboundErrorCodeOf(
  error: unknown,
  started: boolean,
  origin: string,
): OutboundErrorCode | undefined {
  if (error instanceof AddressRefused) return 'blocked_address';
  if (error instanceof NameNotResolved) return 'dns_error';
  const code = codeOf(error);
  if (connectionRefused.has(code)) return 'connection_refused';
  if (timeouts.has(code)) return 'timeout';
  if (resets.has(code)) return 'connection_reset';
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return undefined;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'response_too_large';
  return !started && origin.startsWith('https:') ? 'tls_error' : 'connection_reset';
}

import type { BookingSystemError, OutboundErrorCode } from '@waiver-service/core';
import { redactUrl } from './redaction/redact-url.ts';
import type { SecretRedactor } from './redaction/secrets.ts';
import { parseRetryAfter } from './retry-after.ts';
import type { TransportRequest, TransportResult } from './transport/transport.ts';

/** Most bytes of an answer that an {@link Exchange} shows. */
export const excerptBytes = 4096;

/** One call as it may be shown and logged: no header value, no secret. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  readonly outboundErrorCode?: OutboundErrorCode;
  readonly durationMs: number;
  /** The first 4 KiB of the answer, as text. */
  readonly excerpt: string;
  /** Milliseconds that a `Retry-After` asked for; not capped. */
  readonly retryAfterMs?: number;
}

/** The first 4 KiB of an answer, as text; secrets are replaced before it is cut, so that none is left in halves. */
export function excerptOf(body: Buffer, redactor: SecretRedactor): string {
  // The cut may fall into a secret or a character: enough more is read, and thrown away after the replacing.
  const margin = redactor.reach + 4;
  const shown = redactor.redact(new TextDecoder().decode(body.subarray(0, excerptBytes + margin)));
  const isWhole = body.length <= excerptBytes;
  return isWhole ? shown : shown.slice(0, Math.max(0, shown.length - margin)).slice(0, excerptBytes);
}

/** What is shown of one call. */
export function describeExchange(
  request: TransportRequest,
  result: TransportResult,
  redactor: SecretRedactor,
  error: BookingSystemError | undefined,
): Exchange {
  const retryAfterMs = parseRetryAfter(result.headers['retry-after'], new Date());
  return {
    method: request.method,
    url: redactor.redact(redactUrl(request.url.href)),
    ...(result.status === undefined ? {} : { status: result.status }),
    ...(error?.outboundErrorCode === undefined ? {} : { outboundErrorCode: error.outboundErrorCode }),
    durationMs: result.durationMs,
    excerpt: excerptOf(result.body, redactor),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

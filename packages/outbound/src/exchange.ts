import type { BookingSystemError, OutboundErrorCode } from '@waiver-service/core';
import { textOf } from './http/parse-body.ts';
import { withoutFiles } from './redaction/embedded-files.ts';
import { redactUrl } from './redaction/redact-url.ts';
import type { SecretRedactor } from './redaction/secrets.ts';
import { retryAfterMsOf } from './retry-after.ts';
import type { TransportResult } from './transport/transport.ts';

/** The maximum number of bytes of a response that an {@link Exchange} shows. */
const excerptBytes = 4096;

/**
 * The maximum number of bytes of a response to keep for an excerpt. More than it shows, to cover a secret that
 * straddles its end: secrets may be as long as most servers allow headers to be.
 */
export const keptForExcerptBytes = 4 * excerptBytes;

/** One call in a form that can be shown and logged: no header values, no secrets. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status?: number | undefined;
  readonly outboundErrorCode?: OutboundErrorCode | undefined;
  readonly durationMs: number;
  /** The first 4 KiB of the response as text, without files. */
  readonly excerpt: string;
  /** The `Retry-After` in milliseconds, uncapped. */
  readonly retryAfterMs?: number | undefined;
}

/** The start of a body as text. Redacted before it is truncated, so that no part of a secret remains. */
export function startOf(body: Buffer, bytes: number, redactor: SecretRedactor): string {
  if (body.length <= bytes) return redactor.redact(textOf(body));
  // The cut may split a secret or a character, so extra bytes are decoded, and dropped after redaction.
  const margin = redactor.reach + 4;
  const shown = redactor.redact(textOf(body.subarray(0, bytes + margin)));
  return shown.slice(0, Math.max(0, shown.length - margin)).slice(0, bytes);
}

/** The first 4 KiB of a response as text, without files. */
export const excerptOf = (body: Buffer, redactor: SecretRedactor): string =>
  withoutFiles(startOf(body, excerptBytes, redactor));

interface CompletedCall {
  readonly method: string;
  readonly url: URL;
  readonly result: TransportResult;
  readonly error: BookingSystemError | undefined;
}

// Texts are computed when read, because most calls are never shown.
class DescribedExchange implements Exchange {
  readonly method: string;
  readonly status: number | undefined;
  readonly outboundErrorCode: OutboundErrorCode | undefined;
  readonly durationMs: number;
  readonly #url: URL;
  readonly #result: TransportResult;
  readonly #redactor: SecretRedactor;
  readonly #endedAt = Date.now();

  constructor({ method, url, result, error }: CompletedCall, redactor: SecretRedactor) {
    this.method = method;
    this.status = result.status;
    this.outboundErrorCode = error?.outboundErrorCode;
    this.durationMs = result.durationMs;
    this.#url = url;
    this.#result = result;
    this.#redactor = redactor;
  }

  get url(): string {
    return this.#redactor.redact(redactUrl(this.#url.href));
  }

  get excerpt(): string {
    return excerptOf(this.#result.body, this.#redactor);
  }

  get retryAfterMs(): number | undefined {
    return retryAfterMsOf(this.#result.headers, new Date(this.#endedAt));
  }
}

export const describeExchange = (call: CompletedCall, redactor: SecretRedactor): Exchange =>
  new DescribedExchange(call, redactor);

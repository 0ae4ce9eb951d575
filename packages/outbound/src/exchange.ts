import type { BookingSystemError, OutboundErrorCode } from '@waiver-service/core';
import type { PreparedHeaders } from './http/prepared-request.ts';
import { redactUrl, type SecretRedactor } from './redaction/secrets.ts';
import type { TransportResult } from './transport/transport.ts';

/** A request as it will be sent. */
export interface UnsentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: PreparedHeaders;
  readonly body?: string | Buffer | undefined;
}

const decoder = new TextDecoder();

/** Decodes UTF-8 without a byte order mark; invalid bytes become U+FFFD. */
export const textOf = (bytes: Buffer): string => decoder.decode(bytes);

/** The JSON value of a response body, or its text if it is not JSON. */
export function parseBody(body: Buffer): unknown {
  const text = textOf(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// A data URI in JSON, where PHP escapes slashes; or a bare base64 PDF, which begins with `%PDF-`.
const embeddedFile = /(?:data:[\w.+-]+\\?\/[\w.+-]+;base64,|JVBERi0)(?:[\w+/=-]|\\\/)*/g;

/** Removes files that a response repeats from a request: a signed document contains a guest's data. */
const withoutFiles = (text: string): string => text.replace(embeddedFile, '«file»');

const imfDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

function parseHttpDate(text: string): number {
  if (imfDate.test(text) || rfc850Date.test(text)) return Date.parse(text);
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/**
 * The `Retry-After` of a response in milliseconds, from seconds or any of HTTP's three date formats; 0 for a date in
 * the past; `undefined` if absent or unreadable. Uncapped, because a cap is the caller's policy. A date is relative to
 * the response's own `Date`, or else to `now`.
 *
 * @param headers - the response's, by lower-case name
 */
export function retryAfterMsOf(headers: Readonly<Record<string, unknown>>, now: Date): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const time = parseHttpDate(text);
  if (Number.isNaN(time)) return undefined;
  const answeredAt = typeof headers.date === 'string' ? parseHttpDate(headers.date.trim()) : Number.NaN;
  return Math.max(0, time - (Number.isNaN(answeredAt) ? now.getTime() : answeredAt));
}

/** The maximum wait that a `Retry-After` can cause. */
export const maxRetryAfterMs = 86_400_000;

// Too many requests, and service unavailable: both concern the receiver as a whole, not one message.
const receiverStatuses = new Set([429, 503]);

/** A rejection that may ask for fewer requests. */
interface Rejection {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Whether the response, whatever its status, asked for fewer requests. */
  readonly throttled?: boolean | undefined;
}

/** How long a rejection asks us to send nothing at all: its `Retry-After`, at most 24 hours; 0 if it does not ask. */
export function holdMsOf({ status, retryAfterMs = 0, throttled = false }: Rejection): number {
  const concernsReceiver = throttled || (status !== undefined && receiverStatuses.has(status));
  return concernsReceiver ? Math.min(retryAfterMs, maxRetryAfterMs) : 0;
}

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

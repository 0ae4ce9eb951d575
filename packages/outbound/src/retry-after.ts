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

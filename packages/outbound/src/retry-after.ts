const imfDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

function parseHttpDate(text: string): number {
  if (imfDate.test(text) || rfc850Date.test(text)) return Date.parse(text);
  return asctimeDate.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/**
 * Milliseconds that a `Retry-After` asks to wait, from seconds or any of HTTP's three date forms; 0 for a date that
 * is past; `undefined` where the header says nothing that can be read. Not capped: that is the caller's policy.
 */
export function parseRetryAfter(value: unknown, now: Date): number | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const time = parseHttpDate(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now.getTime());
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignableRequest } from '@waiver-service/core';

/** The two halves of an API key. */
export interface BokunKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

const datePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
// Bókun documents no tolerance: this one is narrow.
const maxAgeMs = 5 * 60 * 1000;

/** Whether Bókun would accept a request: its access key, a date in UTC, and a signature over both, the method and the path. */
export function isSigned({ method, url, headers, now }: SignableRequest, keys: BokunKeys): boolean {
  const date = headers['x-bokun-date'] ?? '';
  if (!datePattern.test(date)) return false;
  const age = now.getTime() - Date.parse(`${date.replace(' ', 'T')}Z`);
  if (!(Math.abs(age) <= maxAgeMs) || headers['x-bokun-accesskey'] !== keys.accessKey) return false;
  const expected = createHmac('sha1', keys.secretKey)
    .update(date)
    .update(keys.accessKey)
    .update(method)
    .update(url.href.slice(url.origin.length))
    .digest();
  const given = Buffer.from(headers['x-bokun-signature'] ?? '', 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

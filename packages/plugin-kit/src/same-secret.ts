import { hash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => hash('sha256', text, 'buffer');

/** Whether a received secret or signature is the expected one, compared in constant time. */
export function isSameSecret(received: unknown, expected: string): boolean {
  return typeof received === 'string' && timingSafeEqual(digest(received), digest(expected));
}

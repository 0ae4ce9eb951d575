import { type BookingSystemResponse, WaiverRejected } from '@waiver-service/core';
import { raiseForFailure } from './raise-for-status.ts';
import { saying } from './saying.ts';

// The same body will be refused again: it is malformed, too large or of the wrong kind for this system.
const refusesTheBody = new Set([400, 413, 415, 422]);

/**
 * Throws what an answer to a vendor's own write means; a 2xx passes. `words` is what the vendor said. A 410 is for good,
 * a refused body has three tries, and a 404 has the whole schedule: what hides the booking, such as a mistyped account,
 * may be put right. Everything else is what it is when reading.
 */
export function raiseForRefusedWaiver(
  response: BookingSystemResponse,
  bookingSystem: string,
  words = '',
): void {
  const { status } = response;
  if (status >= 200 && status < 300) return;
  if (status !== 404 && status !== 410 && !refusesTheBody.has(status))
    raiseForFailure(response, bookingSystem, words);
  throw new WaiverRejected(`${bookingSystem} did not take the waiver (status ${status})${saying(words)}`, {
    retry: status === 410 ? 'never' : status === 404 ? 'schedule' : 'three-tries',
    upstreamStatus: status,
    outboundErrorCode: 'http_status',
  });
}

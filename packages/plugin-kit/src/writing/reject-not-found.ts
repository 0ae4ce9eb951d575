import { isBookingSystemError, WaiverRejected } from '@waiver-service/core';

/**
 * Throws what an error of the read before a write means for the waiver: a booking that is not found is a refusal, tried
 * again by the whole schedule. It was there when it was read; what hides it, such as a mistyped account, may be put
 * right. Any other error is thrown as it is.
 */
export function rejectNotFound(error: unknown): never {
  if (!isBookingSystemError(error) || error.code !== 'booking_not_found') throw error;
  throw new WaiverRejected(error.message, { retry: 'schedule', upstreamStatus: error.upstreamStatus ?? 404 });
}

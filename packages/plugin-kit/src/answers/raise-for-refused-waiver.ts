import {
  type BookingSystemResponse,
  isBodyRejected,
  isBookingSystemError,
  WaiverRejected,
} from '@waiver-service/core';
import { isSuccess } from './answer-errors.ts';
import { raiseForFailure } from './raise-for-status.ts';
import { quoteVendorMessage } from './vendor-message.ts';

/**
 * Throws the error for the response to a vendor-specific write; a 2xx passes. A 410 is never retried; a rejected body
 * gets three attempts; a 404 gets the whole schedule, because its cause, such as a mistyped account, may be fixed. Any
 * other status throws the same error as for a read.
 */
export function raiseForRefusedWaiver(
  response: BookingSystemResponse,
  bookingSystem: string,
  vendorMessage = '',
): void {
  const { status } = response;
  if (isSuccess(status)) return;
  if (status !== 404 && status !== 410 && !isBodyRejected(status))
    raiseForFailure(response, bookingSystem, vendorMessage);
  throw new WaiverRejected(
    `${bookingSystem} did not take the waiver (status ${status})${quoteVendorMessage(vendorMessage)}`,
    {
      retry: status === 410 ? 'never' : status === 404 ? 'schedule' : 'three-attempts',
      upstreamStatus: status,
      outboundErrorCode: 'http_status',
    },
  );
}

/**
 * Rethrows an error of the read that precedes a write. BookingNotFound becomes a rejection that is retried by the whole
 * schedule: the booking existed when the waiver was signed, and the cause, such as a mistyped account, may be fixed.
 */
export function rejectNotFound(error: unknown): never {
  if (!isBookingSystemError(error) || error.code !== 'booking_not_found') throw error;
  throw new WaiverRejected(error.message, { retry: 'schedule', upstreamStatus: error.upstreamStatus ?? 404 });
}

import { BookingNotFound, WaiverRejected } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';
import { quoted } from './reading/json.ts';
import { refusalOfId } from './sendable-id.ts';

/**
 * A booking id as one segment of a path. What a URL cannot carry is refused before any call: BookingNotFound when
 * reading, WaiverRejected for good when writing.
 */
export function bookingSegment(bookingId: string, purpose: 'read' | 'guest-update'): string {
  const refusal = refusalOfId(bookingId);
  if (refusal === undefined) return percentEncode(bookingId);
  const message = `${quoted(bookingId)} is no booking id: ${refusal}`;
  throw purpose === 'read' ? new BookingNotFound(message) : new WaiverRejected(message, { retry: 'never' });
}

import { BookingNotFound, WaiverRejected } from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';
import { quoted } from './reading/json.ts';

/**
 * Why an id cannot be part of a URL; `undefined` if it can. URL parsers remove `.` and `..` from a path even
 * percent-encoded, an empty id would address another resource, and a lone surrogate has no UTF-8 encoding.
 */
export function invalidIdReason(id: string): string | undefined {
  if (id === '') return 'it is empty';
  if (id === '.' || id === '..') return 'a URL cannot carry it';
  return id.isWellFormed() ? undefined : 'it has half a surrogate pair';
}

/**
 * A booking id as a percent-encoded path segment. For an id that cannot be part of a URL, throws BookingNotFound when
 * reading, and WaiverRejected without retry when writing.
 */
export function bookingSegment(bookingId: string, purpose: 'read' | 'guest-update'): string {
  const reason = invalidIdReason(bookingId);
  if (reason === undefined) return percentEncode(bookingId);
  const message = `${quoted(bookingId)} is no booking id: ${reason}`;
  throw purpose === 'read' ? new BookingNotFound(message) : new WaiverRejected(message, { retry: 'never' });
}

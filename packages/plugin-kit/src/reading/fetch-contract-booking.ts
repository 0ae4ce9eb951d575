import {
  BookingNotFound,
  type BookingSystemContext,
  type BookingSystemManifest,
  type FetchedBooking,
} from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';
import { raiseForStatus } from '../answers/raise-for-status.ts';
import { refusalOfId } from '../sendable-id.ts';
import { quoted } from './json.ts';
import { readBooking } from './read-booking.ts';
import { statusGroupOf } from './status-group.ts';

type Asked = Pick<BookingSystemManifest, 'displayName' | 'pathShape' | 'statusMap'>;

function ask(asked: Asked, context: BookingSystemContext, bookingId: string) {
  const { pool } = context;
  return asked.pathShape === 'path'
    ? context.http.get(`bookings/${percentEncode(bookingId)}`, { params: { pool } })
    : context.http.get('bookings', { params: { id: bookingId, pool } });
}

function withStatusGroup(fetched: FetchedBooking, { statusMap }: Asked): FetchedBooking {
  const statusGroup = statusGroupOf(statusMap, fetched.booking.status);
  return statusGroup ? { ...fetched, booking: { ...fetched.booking, statusGroup } } : fetched;
}

// Some systems are asked by one id and answer with another; but it may also be another guest's booking.
function withIdChecked(fetched: FetchedBooking, bookingId: string): FetchedBooking {
  if (fetched.booking.id === bookingId) return fetched;
  const message = `booking ${quoted(bookingId)} was asked for, the answer says it is ${quoted(fetched.booking.id)}`;
  return { ...fetched, warnings: [...fetched.warnings, { code: 'id_differs', path: 'id', message }] };
}

/** Reads one booking from a system that follows the contract (4.1), in either path shape and either form. */
export async function fetchContractBooking(
  asked: Asked,
  context: BookingSystemContext,
  bookingId: string,
): Promise<FetchedBooking> {
  const refusal = refusalOfId(bookingId);
  if (refusal !== undefined) {
    throw new BookingNotFound(`${quoted(bookingId)} is no booking id: ${refusal}`);
  }
  const response = await ask(asked, context, bookingId);
  raiseForStatus(response, { bookingSystem: asked.displayName, bookingId });
  return withStatusGroup(withIdChecked(readBooking(response.data), bookingId), asked);
}

import type {
  BookingSystemContext,
  BookingSystemManifest,
  ContractChoices,
  FetchedBooking,
} from '@waiver-service/core';
import { raiseForStatus } from '../answers/raise-for-status.ts';
import { bookingSegment } from '../url-ids.ts';
import { quoted } from './json.ts';
import { readBooking } from './read-booking.ts';
import { statusGroupOf, warningOfNobody } from './status-group.ts';

type PluginInfo = Pick<BookingSystemManifest, 'displayName' | 'statusMap'> &
  Pick<ContractChoices, 'pathShape'>;

function requestBooking(plugin: PluginInfo, { http, pool }: BookingSystemContext, bookingId: string) {
  // The query shape needs no segment, but an invalid id is refused in both.
  const segment = bookingSegment(bookingId, 'read');
  return plugin.pathShape === 'path'
    ? http.get(`bookings/${segment}`, { params: { pool } })
    : http.get('bookings', { params: { id: bookingId, pool } });
}

function withStatusGroup(fetched: FetchedBooking, { statusMap }: PluginInfo): FetchedBooking {
  const statusGroup = statusGroupOf(statusMap, fetched.booking.status);
  return statusGroup ? { ...fetched, booking: { ...fetched.booking, statusGroup } } : fetched;
}

function withPeopleChecked(fetched: FetchedBooking): FetchedBooking {
  const nobody = warningOfNobody(fetched.booking);
  return nobody ? { ...fetched, warnings: [...fetched.warnings, nobody] } : fetched;
}

// Only a warning: some systems accept one id and respond with another. But it may also be another guest's booking.
function withIdChecked(fetched: FetchedBooking, bookingId: string): FetchedBooking {
  if (fetched.booking.id === bookingId) return fetched;
  const message = `booking ${quoted(bookingId)} was asked for, the answer says it is ${quoted(fetched.booking.id)}`;
  return { ...fetched, warnings: [...fetched.warnings, { code: 'id_differs', path: 'id', message }] };
}

/** Reads one booking from a system that follows the contract (4.1), with either path shape and in either form. */
export async function fetchContractBooking(
  plugin: PluginInfo,
  context: BookingSystemContext,
  bookingId: string,
): Promise<FetchedBooking> {
  const response = await requestBooking(plugin, context, bookingId);
  raiseForStatus(response, { bookingSystem: plugin.displayName, bookingId });
  return withPeopleChecked(withStatusGroup(withIdChecked(readBooking(response.data), bookingId), plugin));
}

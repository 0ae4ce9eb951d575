import {
  BookingNotFound,
  type BookingSystemContext,
  type BookingSystemManifest,
  type BookingSystemResponse,
  type ContractChoices,
  type FetchedBooking,
  isBodyRejected,
  type PushedWaiver,
  type Waiver,
  WaiverRejected,
} from '@waiver-service/core';
import { percentEncode } from '@waiver-service/outbound';
import { failureOf, isSuccess, raiseForStatus } from './answers.ts';
import { isJsonObject, quoted } from './reading/json.ts';
import { readBooking } from './reading/read-booking.ts';
import { Reading, statusGroupOf, warnOfUnknownStatus } from './reading/reading.ts';

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
  const { booking, warnings } = fetched;
  const statusGroup = statusGroupOf(statusMap, booking.status);
  if (statusGroup === undefined) return fetched;
  const reading = new Reading();
  warnOfUnknownStatus(reading, statusMap, { status: booking.status });
  return {
    ...fetched,
    booking: { ...booking, statusGroup },
    warnings: [...warnings, ...reading.warnings],
  };
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
  raiseForStatus(response, { bookingSystem: plugin.displayName, purpose: 'read', bookingId });
  return withStatusGroup(withIdChecked(readBooking(response.data), bookingId), plugin);
}

function idInPath(guestId: ContractChoices['guestId'], waiver: Waiver): string | undefined {
  if (guestId === 'none') return undefined;
  return guestId === 'waiver-id' ? waiver.id : waiver.bookingGuestId || waiver.id;
}

function segment(id: string, name: string): string {
  const reason = invalidIdReason(id);
  if (reason === undefined) return percentEncode(id);
  throw new WaiverRejected(`the ${name} ${quoted(id)} cannot be sent: ${reason}`, { retry: 'never' });
}

/**
 * Path and query of Guest Update (contract 4.2). The last segment depends on the manifest's `guestId`. Throws
 * WaiverRejected for an id that cannot be part of a URL.
 */
function guestUpdateAddress({ guestId }: Pick<ContractChoices, 'guestId'>, waiver: Waiver): string {
  const { bookingGuestId } = waiver;
  const id = idInPath(guestId, waiver);
  const last = id === undefined ? '' : segment(id, 'guest id');
  const booking = segment(waiver.bookingId, 'booking id');
  const guest = bookingGuestId === undefined ? '' : `&bookingGuestId=${percentEncode(bookingGuestId)}`;
  // Not as `params`: the client would encode the booking id twice, and axios copy both.
  return `bookings/${booking}/guests/${last}?bookingId=${booking}${guest}`;
}

type WrittenPlugin = Pick<BookingSystemManifest, 'displayName'> & Pick<ContractChoices, 'guestId'>;

function notAccepted(
  plugin: WrittenPlugin,
  response: BookingSystemResponse,
  { secrets }: BookingSystemContext,
): WaiverRejected {
  const { data, status } = response;
  const reason = isJsonObject(data) && typeof data.message === 'string' ? data.message : undefined;
  const reply = reason === undefined ? 'without saying why' : `saying ${quoted(secrets.redact(reason))}`;
  return new WaiverRejected(`${plugin.displayName} did not take the waiver, ${reply}`, {
    retry: 'schedule',
    upstreamStatus: status,
    outboundErrorCode: 'not_accepted',
  });
}

function rejected(plugin: WrittenPlugin, status: number): WaiverRejected {
  const details = { upstreamStatus: status, outboundErrorCode: 'http_status' as const };
  return status === 410
    ? new WaiverRejected(`${plugin.displayName} will not take this waiver any more (status 410)`, {
        ...details,
        retry: 'never',
      })
    : new WaiverRejected(`${plugin.displayName} refused the waiver as it is (status ${status})`, {
        ...details,
        retry: 'three-attempts',
      });
}

/** Writes one waiver to a system that follows the contract, by Guest Update (4.2). */
export async function pushContractWaiver(
  plugin: WrittenPlugin,
  context: BookingSystemContext,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const response = await context.http.post(guestUpdateAddress(plugin, waiver), JSON.stringify({ waiver }));
  const { status, data } = response;
  if (status === 410 || isBodyRejected(status)) throw rejected(plugin, status);
  if (!isSuccess(status)) throw failureOf({ response, bookingSystem: plugin.displayName });
  if (isJsonObject(data) && data.success === false) throw notAccepted(plugin, response, context);
  return { accepted: true, warnings: [] };
}

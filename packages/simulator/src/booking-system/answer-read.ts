import type { ReceivedRequest, SimulatedAnswer } from '../http/received-request.ts';
import type { BookingCollection } from './booking-collection.ts';
import { type ServedForm, writeBooking } from './booking-forms.ts';
import { parsePath, queryOf } from './parse-path.ts';
import { type KeyHeader, refusalOfKey, refuse } from './refuse.ts';

export interface ReadRules {
  readonly keyHeader: KeyHeader | undefined;
  readonly pathShape: 'path' | 'query';
  /** The pools that may read; `undefined`: any, but one is required. */
  readonly pools: readonly string[] | undefined;
}

/** Answers Booking Details (contract 4.1, 7, 9). */
export function answerRead(
  request: ReceivedRequest,
  bookings: BookingCollection,
  form: ServedForm,
  { keyHeader, pathShape, pools }: ReadRules,
): SimulatedAnswer {
  const read = parsePath(request.method, request.path);
  if (read?.route !== 'read' || read.shape !== pathShape) return refuse(404, 'there is no such address');
  const refusal = refusalOfKey(request, keyHeader);
  if (refusal) return refusal;
  const pool = queryOf(request.path).get('pool');
  if (!pool) return refuse(400, 'pool is missing from the query');
  if (pools && !pools.includes(pool)) return refuse(403, `pool ${pool} is not connected`);
  const booking = bookings.get(read.bookingId);
  if (!booking) return refuse(404, `booking ${read.bookingId} was not found`);
  return { status: 200, body: writeBooking(booking, form) };
}

import type { BookingSystemContext, BookingSystemHttp, PushedWaiver, Waiver } from '@waiver-service/core';
import { bookingSegment, type JsonObject, quoted, Reading } from '@waiver-service/plugin-kit';
import { bookingIn, bookingInside } from '../answers.ts';
import { reasonNotToCopy } from './exact-copy.ts';
import { type OrderChange, planChange } from './order-change.ts';
import { verifyChange } from './verify-change.ts';

const requestOrder = async (http: BookingSystemHttp, path: string): Promise<JsonObject> =>
  bookingIn(await http.get(path), { kind: 'read-before-write' });

/** Replaces the order. Returns the order after that; it is requested if the response does not show it. */
async function replaceOrder(http: BookingSystemHttp, path: string, order: JsonObject): Promise<JsonObject> {
  const answered = bookingInside(await http.put(path, order), { kind: 'write' });
  return answered ?? (await requestOrder(http, path));
}

/** Warns of shared answers that fit no field or, for a void, of answers that remain in the fields. */
function warnOfRemains(reading: Reading, waiver: Waiver, { filled, path }: OrderChange): void {
  const { changed, matching, unused } = filled;
  const warn = (message: string) => reading.warn('waiver_partly_written', path, message);
  if (waiver.deleted) {
    if (matching.length + changed.length > 0) {
      warn('the line in the internal notes is gone; what the participant’s fields say stays');
    }
  } else if (unused.length > 0) {
    const names = unused.map(quoted).join(', ');
    warn(`no field of a participant takes all of ${names}: only the internal notes tell of it`);
  }
}

/**
 * Writes one waiver by a GET and a PUT of the whole order: a line in the internal notes, and the participant's fields that
 * shared answers fit. Then verifies that Rezdy stored it.
 */
export async function pushWaiver(
  { http }: Pick<BookingSystemContext, 'http'>,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const path = `bookings/${bookingSegment(waiver.bookingId, 'guest-update')}`;
  const order = await requestOrder(http, path);
  const reading = new Reading();
  const change = planChange(reading, order, waiver);
  reading.throwIfRefused();

  if (change.isNoteChanged || change.areFieldsChanged) {
    const obstacle = reasonNotToCopy(order);
    if (obstacle !== undefined) {
      const reason = `the order could not be written back whole (${obstacle}), so nothing was: note the waiver there by hand`;
      return { accepted: false, reason, warnings: reading.warnings };
    }
    const orderAfter = await replaceOrder(http, path, change.order);
    const reason = verifyChange(reading, waiver, change, orderAfter);
    if (reason !== undefined) return { accepted: false, reason, warnings: reading.warnings };
  }
  warnOfRemains(reading, waiver, change);
  return { accepted: true, warnings: reading.warnings };
}

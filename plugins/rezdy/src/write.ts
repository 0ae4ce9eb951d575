import type { BookingSystemContext, BookingSystemHttp, PushedWaiver, Waiver } from '@waiver-service/core';
import { bookingSegment, type JsonObject, quoted, Reading, requiredText } from '@waiver-service/plugin-kit';
import { bookingIn, displayName, raiseForRezdy } from './answers.ts';
import { reasonNotToCopy } from './write/exact-copy.ts';
import { type OrderChange, planChange } from './write/order-change.ts';
import { verifyChange } from './write/verify-change.ts';

// Once Rezdy's request limit is used up, a PUT waits to be sent: too late to read the order again.
const maxUnnoticedMs = 2_000;

/** Requests the order. Throws InvalidBookingResponse for what is not one: a PUT of it would delete the rest. */
async function requestOrder(http: BookingSystemHttp, path: string): Promise<JsonObject> {
  const order = bookingIn(await http.get(path), { kind: 'read-before-write' });
  const reading = new Reading();
  requiredText(reading, order.orderNumber, 'orderNumber');
  requiredText(reading, order.status, 'status');
  reading.throwIfRefused();
  return order;
}

/** Warns of a change sent long after the order was read: it overwrites what staff changed meanwhile. */
function warnOfDelay(reading: Reading, delayMs: number): void {
  if (delayMs < maxUnnoticedMs) return;
  const message = `${displayName} took the change ${Math.round(delayMs / 1_000)} s after the order was read: what staff changed in between may be overwritten, so look at the order`;
  reading.warn('waiver_partly_written', undefined, message);
}

/** Warns of shared answers missing from the fields or, for a void, of answers that may remain in them. */
function warnOfRemains(reading: Reading, waiver: Waiver, { filled, path }: OrderChange): void {
  const warn = (message: string) => reading.warn('waiver_partly_written', path, message);
  if (waiver.deleted) {
    if (filled.haveAnswers) {
      warn('the line in the internal notes is gone; what the participant’s fields say stays');
    }
  } else if (filled.isOtherPerson) {
    warn(
      'the participant has another name than the waiver, so the fields stay as they are and only the internal notes mention it: were participants removed or moved?',
    );
  } else if (filled.unused.length > 0) {
    const names = filled.unused.map(quoted).join(', ');
    warn(`the fields of a participant do not hold all of ${names}: only the internal notes mention it`);
  }
}

/**
 * Writes one waiver by a GET and a PUT of the whole order: a line in the internal notes, and shared answers in the
 * participant's matching fields. Then reads the order again: an order in Rezdy's response does not mean that it was
 * stored.
 */
export async function pushWaiver(
  { http }: Pick<BookingSystemContext, 'http'>,
  waiver: Waiver,
): Promise<PushedWaiver> {
  const path = `bookings/${bookingSegment(waiver.bookingId, 'guest-update')}`;
  const order = await requestOrder(http, path);
  const readAt = performance.now();
  const reading = new Reading();
  const change = planChange(reading, order, waiver);
  reading.throwIfRefused();

  if (change.isNoteChanged || change.changedFields.length > 0) {
    const obstacle = reasonNotToCopy(order);
    if (obstacle !== undefined) {
      const reason = `the order could not be written back whole (${obstacle}), so nothing was: note the waiver there by hand`;
      return { accepted: false, reason, warnings: reading.warnings };
    }
    raiseForRezdy(await http.put(path, change.order), { kind: 'write' });
    warnOfDelay(reading, performance.now() - readAt);
    const reason = verifyChange(reading, waiver, change, order, await requestOrder(http, path));
    if (reason !== undefined) return { accepted: false, reason, warnings: reading.warnings };
  }
  warnOfRemains(reading, waiver, change);
  return { accepted: true, warnings: reading.warnings };
}

import type { BookingSystemContext, BookingSystemHttp, PushedWaiver, Waiver } from '@waiver-service/core';
import {
  bookingSegment,
  isJsonObject,
  type JsonObject,
  quoted,
  Reading,
  requiredText,
  textOf,
  withNoteLine,
} from '@waiver-service/plugin-kit';
import { bookingIn, displayName, raiseForRezdy } from './answers.ts';
import { labelOf } from './read.ts';
import {
  fieldsAt,
  isSameNote,
  itemsWith,
  notesOf,
  type OrderChange,
  planChange,
  withoutOwnLine,
} from './write/order-change.ts';

// JSON.stringify overflows the stack at depths that JSON.parse still reads.
const maxDepth = 100;

// An integer beyond the safe range has already lost digits.
const isExact = (value: number) => !Number.isInteger(value) || Number.isSafeInteger(value);

/** Why an order cannot be sent back unchanged, as part of a sentence; `undefined` if it can. */
function reasonNotToCopy(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'number') {
    return isExact(value) ? undefined : `${path} is a number that cannot be sent back exactly`;
  }
  if (!Array.isArray(value) && !isJsonObject(value)) return undefined;
  if (depth >= maxDepth) return `${path} is nested too deeply`;
  for (const [name, inner] of Object.entries(value)) {
    const reason = reasonNotToCopy(inner, path === '' ? name : `${path}.${name}`, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

// Rezdy omits empty values.
const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether two parts of an order are equal, whatever the order of their properties. */
function isSame(one: unknown, other: unknown): boolean {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  }
  if (isJsonObject(one) && isJsonObject(other)) return differingNames(one, other).length === 0;
  return one === other;
}

const differingNames = (one: JsonObject, other: JsonObject): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !isSame(one[name], other[name]),
  );

/** An order without the time of its last update, the waiver's line and the changed fields. */
function untouchedPart(order: JsonObject, { changedFields, path }: OrderChange, waiver: Waiver): JsonObject {
  const { dateUpdated: _updated, ...rest } = order;
  const fields = fieldsAt(order, path).map((field) =>
    changedFields.includes(labelOf(field)) ? { ...field, value: undefined } : field,
  );
  return {
    ...rest,
    internalNotes: withoutOwnLine(notesOf(new Reading(), order), waiver),
    items: itemsWith(order, path, fields),
  };
}

/** The names of the properties of an order that changed unintentionally. */
const unintendedChanges = (
  before: JsonObject,
  after: JsonObject,
  change: OrderChange,
  waiver: Waiver,
): string[] => differingNames(untouchedPart(before, change, waiver), untouchedPart(after, change, waiver));

/** Whether the internal notes have the waiver's line as intended; for a void, not at all. */
function isLineKept(orderAfter: JsonObject, waiver: Waiver): boolean {
  const notes = notesOf(new Reading(), orderAfter);
  return isSameNote(withNoteLine(notes, waiver), notes);
}

/** The labels of the changed fields whose new values the order lacks. */
function lostFields({ changedFields, filled, path }: OrderChange, orderAfter: JsonObject): string[] {
  const fieldsAfter = fieldsAt(orderAfter, path);
  return changedFields.filter((label) => {
    const sent = filled.fields.find((field) => labelOf(field) === label);
    const isStored = fieldsAfter.some(
      (field) => labelOf(field) === label && textOf(field.value) === textOf(sent?.value),
    );
    return !isStored;
  });
}

/**
 * Compares the order after a write with the order before it and with the change that was sent; warns of each part that
 * was not stored and of each unintended change. Returns why the waiver counts as not written; `undefined` if the notes
 * have its line, or if at least one field has a new value.
 */
function verifyChange(
  reading: Reading,
  waiver: Waiver,
  change: OrderChange,
  orderBefore: JsonObject,
  orderAfter: JsonObject,
): string | undefined {
  for (const part of unintendedChanges(orderBefore, orderAfter, change, waiver)) {
    const message = `the order’s ${part} changed with the waiver: compare it in ${displayName}`;
    reading.warn('waiver_partly_written', part, message);
  }

  const isLineLost = !isLineKept(orderAfter, waiver);
  if (isLineLost && waiver.deleted) {
    return `${displayName} took the change and left the waiver’s line in the internal notes: take it out there by hand`;
  }
  const lost = lostFields(change, orderAfter);
  if (isLineLost && lost.length === change.changedFields.length) {
    return `${displayName} took the change and kept nothing of it: note the waiver in the order by hand`;
  }

  if (isLineLost) {
    const message = `${displayName} did not keep the line in the internal notes`;
    reading.warn('waiver_partly_written', 'internalNotes', message);
  }
  if (lost.length > 0) {
    const message = `${displayName} did not keep what was written into ${lost.map(quoted).join(', ')}`;
    reading.warn('waiver_partly_written', change.path, message);
  }
  return undefined;
}

// Once Rezdy's request limit is used up, a PUT waits to be sent: too late to read the order again.
const maxUnnoticedMs = 2_000;

/** Requests the order. Throws InvalidBookingResponse for what is not one: a PUT of it would delete the rest. */
async function requestOrder(http: BookingSystemHttp, path: string): Promise<JsonObject> {
  const order = bookingIn(await http.get(path), { purpose: 'guest-update' });
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
    raiseForRezdy(await http.put(path, change.order), { purpose: 'guest-update', isChange: true });
    warnOfDelay(reading, performance.now() - readAt);
    const reason = verifyChange(reading, waiver, change, order, await requestOrder(http, path));
    if (reason !== undefined) return { accepted: false, reason, warnings: reading.warnings };
  }
  warnOfRemains(reading, waiver, change);
  return { accepted: true, warnings: reading.warnings };
}

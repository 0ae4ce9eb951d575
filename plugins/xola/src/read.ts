import type { BookedSession, FetchedBooking, Guest } from '@waiver-service/core';
import {
  bookingSegment,
  expectObject,
  finishNativeBooking,
  isJsonObject,
  type JsonObject,
  type ListedObject,
  objectOf,
  objectsIn,
  Reading,
  raiseForStatus,
  requiredCount,
  requiredObjects,
  requiredText,
  textOf,
  vendorContact,
  vendorDateTime,
  vendorSession,
  warnOfUnknownStatus,
} from '@waiver-service/plugin-kit';
import {
  holdsPlace,
  isCancelled,
  isKnown,
  statusMap,
  statusOfCancelledItems,
  statusOfItems,
} from './answers.ts';
import type { Context } from './settings.ts';

// Only scalar values can be pre-filled.
const scalarsOf = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  );

// Ids mean nothing to readers.
const objectId = /^[0-9a-f]{24}$/i;

/** A guest's demographic, with its label from the item's list of demographics. */
function demographicOf(guest: JsonObject, item: JsonObject): JsonObject {
  const own = isJsonObject(guest.demographic) ? guest.demographic : { label: guest.demographic };
  const listed = objectsIn(item.demographics)
    .map((one) => ({ ...one, ...objectOf(one.demographic) }) as JsonObject)
    .find(({ id }) => textOf(id) !== undefined && textOf(id) === textOf(own.id));
  const label = textOf(own.label) ?? textOf(listed?.label);
  return { ...scalarsOf(own), ...(label === undefined ? {} : { label }) };
}

function participantTypeOf({ label, id }: JsonObject): string | undefined {
  const word = textOf(label) ?? textOf(id);
  if (word === undefined || objectId.test(word)) return undefined;
  if (/^adults?$/i.test(word)) return 'adult';
  return /^(child(ren)?|kids?)$/i.test(word) ? 'child' : word;
}

/** The guests of an item. Orders usually have no names. */
const readGuests = (item: JsonObject): Guest[] =>
  objectsIn(item.guests).map((guest) => {
    const demographic = demographicOf(guest, item);
    return {
      ...scalarsOf(guest),
      id: textOf(guest.id),
      name: textOf(guest.name),
      email: textOf(guest.email),
      phoneNumber: textOf(guest.phoneNumber),
      demographic: Object.keys(demographic).length > 0 ? demographic : undefined,
      participantType: participantTypeOf(demographic),
    };
  });

export async function fetchBooking({ http, account }: Context, bookingId: string): Promise<FetchedBooking> {
  const response = await http.get(`orders/${bookingSegment(bookingId, 'read')}`);
  raiseForStatus(response, { bookingSystem: 'Xola', purpose: 'read', bookingId });
  return readOrder(expectObject(response.data), bookingId, account.durationMinutes);
}

/** The part of a booking that comes from one item. */
interface ItemReading {
  /** Empty for an item without a date and time: open-dated, or cancelled. */
  readonly sessions: readonly BookedSession[];
  readonly quantity: number;
  readonly guests: readonly Guest[];
}

function endOf(startsAt: string | undefined, durationMinutes: number | undefined): string | undefined {
  if (startsAt === undefined || durationMinutes === undefined) return undefined;
  const end = new Date(Date.parse(startsAt) + durationMinutes * 60_000);
  return end.toISOString().replace('.000Z', 'Z');
}

function readItem(
  reading: Reading,
  { value: item, path }: ListedObject,
  durationMinutes: number | undefined,
  isOrderCancelled: boolean,
): ItemReading {
  // Invalid times and quantities must not hide that an order is cancelled.
  const figures = isOrderCancelled ? new Reading() : reading;
  const startsAt = vendorDateTime(figures, item.arrivalDatetime, `${path}.arrivalDatetime`);
  const session = {
    startsAt,
    endsAt: endOf(startsAt, durationMinutes),
    activityId: objectOf(item.experience).id ?? item.experience,
    activityName: item.name,
  };
  const guests = readGuests(item);
  const ordered = requiredCount(figures, item.quantity, `${path}.quantity`);
  const quantity = isOrderCancelled && ordered === 0 ? guests.length : ordered;
  if (guests.length > 0 && guests.length !== quantity) {
    const message = `${path} has the quantity ${quantity} and ${guests.length} guests: the quantity counts`;
    reading.warn('count_disagrees', `${path}.guests`, message);
  }
  const sessions = startsAt === undefined ? [] : [vendorSession(figures, session, path)];
  return { sessions, quantity, guests };
}

const hasTime = ({ value }: ListedObject) => textOf(value.arrivalDatetime) !== undefined;

// An item with only a local date is skipped too, since the seller's time zone is unknown.
function withTime(reading: Reading, items: readonly ListedObject[]): ListedObject[] {
  return items.filter((item) => {
    if (hasTime(item)) return true;
    const { path } = item;
    reading.warn('item_skipped', path, `${path} has no arrivalDatetime, so it is no session: left out`);
    return false;
  });
}

// Skips items that were cancelled individually; an order that was cancelled as a whole keeps all of them.
function activeItems(reading: Reading, items: readonly ListedObject[]): readonly ListedObject[] {
  const kept = items.filter(({ value }) => holdsPlace(value.status));
  if (kept.length === 0 || kept.length === items.length) return items;
  for (const { value, path } of items) {
    if (holdsPlace(value.status)) continue;
    reading.warn('item_skipped', path, `${path} holds no place (status ${textOf(value.status)}): left out`);
  }
  return kept;
}

// A status that the order takes from its items is a warning once, as the order's.
function warnOfUnknownItems(reading: Reading, items: readonly ListedObject[], ofOrder: string): void {
  const meaning = 'its people are expected';
  for (const { value, path } of items) {
    const status = textOf(value.status);
    if (status === undefined || status === ofOrder) continue;
    warnOfUnknownStatus(reading, statusMap, { status, path: `${path}.status`, meaning });
  }
}

function notesOf({ notes }: JsonObject): string | undefined {
  const texts = objectsIn(notes).map(({ text }) => textOf(text));
  return textOf(texts.filter((text) => text !== undefined).join('\n'));
}

/**
 * The status of an order: Xola documents that of the items, whose numbers decide. The order's own counts only if it is
 * such a number too; `committed` and other words say nothing about places.
 */
function statusOf(
  reading: Reading,
  order: JsonObject,
  all: readonly ListedObject[],
  active: readonly ListedObject[],
): string | undefined {
  const statusesOf = (items: readonly ListedObject[]) => items.map(({ value }) => value.status);
  const own = textOf(order.status);
  const decisive = active.some(hasTime) ? active.filter(hasTime) : active;
  const ofCancelled = statusOfCancelledItems(statusesOf(all));
  const ofItems = statusOfItems(statusesOf(decisive));
  if (ofCancelled !== undefined || isKnown(own) || ofItems === undefined)
    return ofCancelled ?? own ?? ofItems;
  if (own !== undefined && own !== 'committed') {
    warnOfUnknownStatus(reading, statusMap, { status: own, meaning: 'the items’ status counts' });
  }
  return ofItems;
}

const withoutSession =
  'the Xola order has no item with a date and time: there is nothing to check in to as yet; choose a date for it in Xola';

/** Reads a Xola order. Throws InvalidBookingResponse, which names each invalid field. */
export function readOrder(
  order: JsonObject,
  bookingId: string,
  durationMinutes: number | undefined,
): FetchedBooking {
  const reading = new Reading();
  const { id, status, customerName, customerEmail, phone } = order;
  // A cancelled order may have lost its items.
  const listed = isCancelled(textOf(status)) ? (order.items ?? []) : order.items;
  const all = requiredObjects(reading, listed, 'items');
  const active = activeItems(reading, all);
  const statusText = statusOf(reading, order, all, active);
  // A cancelled order keeps its items without a time, so that guests and pax do not change.
  const isOrderCancelled = isCancelled(statusText);
  const items = isOrderCancelled ? active : withTime(reading, active);
  if (!isOrderCancelled) warnOfUnknownItems(reading, items, statusText ?? '');
  const read = items.map((item) => readItem(reading, item, durationMinutes, isOrderCancelled));
  const contact = { name: customerName, email: customerEmail, phoneNumber: phone };
  const notes = notesOf(order);
  const booking = {
    id: requiredText(reading, textOf(id), 'id'),
    status: requiredText(reading, statusText, 'items[].status'),
    contact: vendorContact(reading, contact, 'the customer'),
    pax: read.reduce((sum, { quantity }) => sum + quantity, 0),
    guests: read.flatMap(({ guests }) => guests),
    bookedSessions: read.flatMap(({ sessions }) => sessions),
    notes,
  };
  return finishNativeBooking(reading, booking, { bookingId, idPath: 'id', withoutSession }, statusMap);
}

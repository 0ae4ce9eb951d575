import type { BookedSession, FetchedBooking, Guest } from '@waiver-service/core';
import {
  finishNativeBooking,
  type JsonObject,
  type ListedObject,
  objectOf,
  objectsIn,
  Reading,
  requiredCount,
  requiredObjects,
  requiredText,
  textOf,
  vendorContact,
  vendorDateTime,
  vendorSession,
} from '@waiver-service/plugin-kit';
import { readGuests } from './guests.ts';
import { holdsPlace, isCancelled, statusMap, statusOfItems } from './status.ts';

/** What one item adds to a booking. */
interface ItemReading {
  /** None where it has no date and time: open-dated, or taken away with the cancellation. */
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
): ItemReading {
  const startsAt = vendorDateTime(reading, item.arrivalDatetime, `${path}.arrivalDatetime`);
  const session = {
    startsAt,
    endsAt: endOf(startsAt, durationMinutes),
    activityId: objectOf(item.experience).id ?? item.experience,
    activityName: item.name,
  };
  const quantity = requiredCount(reading, item.quantity, `${path}.quantity`);
  const guests = readGuests(item);
  if (guests.length > 0 && guests.length !== quantity) {
    const message = `${path} has the quantity ${quantity} and ${guests.length} guests: the quantity counts`;
    reading.warn('count_disagrees', `${path}.guests`, message);
  }
  const sessions = startsAt === undefined ? [] : [vendorSession(reading, session, path)];
  return { sessions, quantity, guests };
}

const hasTime = ({ value }: ListedObject) => textOf(value.arrivalDatetime) !== undefined;

// An item with a date and no time in a zone is left out too: nobody knows the seller's zone.
function withTime(reading: Reading, items: readonly ListedObject[]): ListedObject[] {
  return items.filter((item) => {
    if (hasTime(item)) return true;
    const { path } = item;
    reading.warn('item_skipped', path, `${path} has no arrivalDatetime, so it is no session: left out`);
    return false;
  });
}

// Who cancelled one of two activities comes to the other one only; of an order cancelled as a whole, all is shown.
function standing(reading: Reading, items: readonly ListedObject[]): readonly ListedObject[] {
  const kept = items.filter(({ value }) => holdsPlace(value.status));
  if (kept.length === 0 || kept.length === items.length) return items;
  for (const { value, path } of items) {
    if (holdsPlace(value.status)) continue;
    reading.warn('item_skipped', path, `${path} holds no place (status ${textOf(value.status)}): left out`);
  }
  return kept;
}

function notesOf({ notes }: JsonObject): string | undefined {
  const texts = objectsIn(notes).map(({ text }) => textOf(text));
  return textOf(texts.filter((text) => text !== undefined).join('\n'));
}

const withoutSession =
  'the Xola order has no item with a date and time: there is nothing to check in to as yet; choose a date for it in Xola';

/** Reads an order of Xola's. Throws InvalidBookingResponse, which names each field at fault. */
export function readOrder(
  order: JsonObject,
  bookingId: string,
  durationMinutes: number | undefined,
): FetchedBooking {
  const reading = new Reading();
  const { id, status, customerName, customerEmail, phone } = order;
  // What was cancelled may have lost its items; the cancellation counts all the same.
  const listed = isCancelled(textOf(status)) ? (order.items ?? []) : order.items;
  const held = standing(reading, requiredObjects(reading, listed, 'items'));
  const telling = held.some(hasTime) ? held.filter(hasTime) : held;
  const statusText = textOf(status) ?? statusOfItems(telling.map(({ value }) => value.status));
  // Of a cancelled order everything is shown, also what has no time: guests and pax stay what they were.
  const items = isCancelled(statusText) ? held : withTime(reading, held);
  const read = items.map((item) => readItem(reading, item, durationMinutes));
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

import type { BookedSession, Contact, FetchedBooking } from '@waiver-service/core';
import {
  bookingSegment,
  finishNativeBooking,
  isJsonObject,
  type JsonObject,
  kindOf,
  type ListedObject,
  objectOf,
  quoted,
  Reading,
  requiredObjects,
  requiredText,
  textOf,
  vendorContact,
  vendorPerson,
} from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { bookingIn } from './answers.ts';
import { readGuests } from './read/participants.ts';
import { readPax } from './read/pax.ts';
import { readSession } from './read/session.ts';
import { isCancelled, statusMap } from './status-map.ts';

/** Reads one booking by its order number. Throws core's errors. */
export async function fetchBooking({ http, account }: Context, bookingId: string): Promise<FetchedBooking> {
  const response = await http.get(`bookings/${bookingSegment(bookingId, 'read')}`);
  const order = bookingIn(response, { kind: 'read', bookingId });
  return readBooking(order, bookingId, account.timeZone);
}

/** An item, and its session if it has a time. */
interface OrderedItem {
  readonly item: ListedObject;
  readonly session: BookedSession | undefined;
}

// A cancelled order may have lost its customer.
function readContact(reading: Reading, customer: unknown, isOrderCancelled: boolean): Contact {
  if (!isJsonObject(customer) && !isOrderCancelled) {
    reading.refuse('customer', `is ${kindOf(customer)}, not an object`);
  }
  const { name, firstName, lastName, email, phone, mobile } = objectOf(customer);
  const phoneNumber = textOf(phone) ?? mobile;
  const person = vendorPerson({ fullName: name, firstName, lastName, email, phoneNumber });
  return vendorContact(reading, person, 'customer');
}

/**
 * The items that people attend: those with a time. A cancelled order may have lost its items, or their times; if none
 * has a time any more, all items count.
 */
function readItems(
  reading: Reading,
  order: JsonObject,
  isOrderCancelled: boolean,
  timeZone: string | undefined,
): readonly OrderedItem[] {
  const items = isOrderCancelled && !order.items ? [] : requiredObjects(reading, order.items, 'items');
  // Invalid times must not hide that an order is cancelled.
  const timeReading = isOrderCancelled ? new Reading() : reading;
  const ordered = items.map((item) => ({ item, session: readSession(timeReading, item, timeZone) }));
  if (isOrderCancelled && ordered.every(({ session }) => session === undefined)) return ordered;
  return ordered.filter(({ item: { path }, session }) => {
    if (session !== undefined) return true;
    reading.warn('item_skipped', path, `${path} has no time: it was left out`);
    return false;
  });
}

/** Reads a Rezdy order. Throws InvalidBookingResponse, which names each invalid field. */
export function readBooking(
  order: JsonObject,
  bookingId: string,
  timeZone: string | undefined,
): FetchedBooking {
  const reading = new Reading();
  const status = requiredText(reading, order.status, 'status');
  const isOrderCancelled = isCancelled(status);
  const attended = readItems(reading, order, isOrderCancelled, timeZone);
  const booking = {
    id: requiredText(reading, order.orderNumber, 'orderNumber'),
    status,
    contact: readContact(reading, order.customer, isOrderCancelled),
    pax: attended.reduce((sum, { item }) => sum + readPax(reading, item, isOrderCancelled), 0),
    guests: attended.flatMap(({ item }) => readGuests(item)),
    bookedSessions: attended.map(({ session }) => session).filter((session) => session !== undefined),
    notes: textOf(order.comments),
    resellerReference: textOf(order.resellerReference),
  };
  const withoutSession = `no item of Rezdy order ${quoted(bookingId)} has a time: it is open-dated, a gift card or a pick-up; give it a date in Rezdy`;
  const request = { bookingId, idPath: 'orderNumber', withoutSession };
  return finishNativeBooking(reading, booking, request, statusMap);
}

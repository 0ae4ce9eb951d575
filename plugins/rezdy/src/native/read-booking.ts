import type {
  BookedSession,
  BookingSystemContext,
  FetchedBooking,
  InstalledAccount,
  StatusGroup,
} from '@waiver-service/core';
import { InvalidBookingResponse } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { bookingIn, displayName } from '../answers.ts';
import { participantsOf, readGuest } from './participants.ts';

/** What Rezdy's statuses mean. */
export const statusMap: Record<string, StatusGroup> = {
  CONFIRMED: 'active',
  PROCESSING: 'other',
  NEW: 'other',
  ON_HOLD: 'other',
  PENDING_SUPPLIER: 'other',
  PENDING_CUSTOMER: 'other',
  CANCELLED: 'cancelled',
  ABANDONED_CART: 'cancelled',
};

function readContact(reading: kit.Reading, customer: unknown) {
  if (!kit.isJsonObject(customer)) reading.refuse('customer', `is ${kit.kindOf(customer)}, not an object`);
  const { name, firstName, lastName, email, phone, mobile } = kit.objectOf(customer);
  const phoneNumber = kit.textOf(phone) ?? mobile;
  const person = kit.vendorPerson({ fullName: name, firstName, lastName, email, phoneNumber });
  return kit.vendorContact(reading, person, 'customer');
}

/** An item's session, in UTC; `undefined` where it has no time at all. */
function readSession(
  reading: kit.Reading,
  item: kit.ListedObject,
  timeZone?: string,
): BookedSession | undefined {
  const { value, path } = item;
  const momentOf = (name: 'startTime' | 'endTime') =>
    kit.vendorDateTime(reading, value[name], `${path}.${name}`, timeZone) ??
    kit.vendorDateTime(reading, value[`${name}Local`], `${path}.${name}Local`, timeZone);
  const [startsAt, endsAt] = [momentOf('startTime'), momentOf('endTime')];
  if (startsAt === undefined) return undefined;
  const { productCode: activityId, productName: activityName } = value;
  return kit.vendorSession(reading, { startsAt, endsAt, activityId, activityName }, path);
}

/** How many people an item is booked for. What the participants say may be less: not all are named at once. */
function paxOf(reading: kit.Reading, item: kit.ListedObject): number {
  const { value, path } = item;
  const quantities = kit
    .objectsIn(value.quantities)
    .map((quantity, index) =>
      kit.requiredCount(reading, quantity.value, `${path}.quantities[${index}].value`),
    );
  const pax =
    quantities.length > 0
      ? quantities.reduce((sum, count) => sum + count, 0)
      : kit.requiredCount(reading, value.totalQuantity, `${path}.totalQuantity`);
  const named = participantsOf(item).length;
  const others = {
    totalQuantity: Number(value.totalQuantity ?? pax),
    participants: named === 0 ? pax : named,
  };
  for (const [name, count] of Object.entries(others)) {
    if (count === pax) continue;
    reading.warn('count_disagrees', `${path}.${name}`, `${path} is for ${pax}, its ${name} say ${count}`);
  }
  return pax;
}

/** Reads one booking, `GET /bookings/{orderNumber}`, tolerantly. InvalidBookingResponse names each field at fault. */
export async function fetchBooking(
  {
    http,
    account,
  }: BookingSystemContext<unknown, InstalledAccount & { readonly timeZone?: string | undefined }>,
  bookingId: string,
): Promise<FetchedBooking> {
  const response = await http.get(`bookings/${kit.bookingSegment(bookingId, 'read')}`);
  const found = bookingIn(response, bookingId);
  const reading = new kit.Reading();
  const items = kit.requiredObjects(reading, found.items, 'items');
  const sessions = items.map((item) => readSession(reading, item, account.timeZone));
  reading.throwIfRefused();
  for (const [index, { path }] of items.entries()) {
    if (!sessions[index]) reading.warn('item_skipped', path, `${path} has no time: it was left out`);
  }
  const bookedSessions = sessions.filter((session) => session !== undefined);
  if (bookedSessions.length === 0) {
    const said = `no item of ${displayName} order ${kit.quoted(bookingId)} has a time`;
    throw new InvalidBookingResponse(
      `${said}: it is open-dated, a gift card or a pick-up; give it a date in Rezdy`,
    );
  }
  const attended = items.filter((_item, index) => sessions[index] !== undefined);
  const booking = {
    id: kit.requiredText(reading, found.orderNumber, 'orderNumber'),
    status: kit.requiredText(reading, found.status, 'status'),
    contact: readContact(reading, found.customer),
    pax: attended.reduce((sum, item) => sum + paxOf(reading, item), 0),
    guests: attended.flatMap(participantsOf).map((participant) => readGuest(reading, participant)),
    bookedSessions,
    notes: kit.textOf(found.comments),
    resellerReference: kit.textOf(found.resellerReference),
  };
  return kit.nativeBooking(reading, booking, { bookingId, idPath: 'orderNumber' }, statusMap);
}

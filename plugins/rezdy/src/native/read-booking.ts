import type {
  BookedSession,
  BookingSystemContext,
  FetchedBooking,
  InstalledAccount,
  StatusGroup,
} from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { bookingIn, displayName } from '../answers.ts';
import { participantsOf, readGuests } from './participants.ts';

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

function readContact(reading: kit.Reading, customer: unknown, isCancelled: boolean) {
  if (!kit.isJsonObject(customer) && !isCancelled)
    reading.refuse('customer', `is ${kit.kindOf(customer)}, not an object`);
  const { name, firstName, lastName, email, phone, mobile } = kit.objectOf(customer);
  const phoneNumber = kit.textOf(phone) ?? mobile;
  const person = kit.vendorPerson({ fullName: name, firstName, lastName, email, phoneNumber });
  return kit.vendorContact(reading, person, 'customer');
}

/** An item's session; `undefined` if it has no time. */
function readSession(
  reading: kit.Reading,
  item: kit.ListedObject,
  timeZone?: string,
): BookedSession | undefined {
  const { value, path } = item;
  const momentOf = (name: 'startTime' | 'endTime') =>
    kit.vendorDateTime(reading, value[name], `${path}.${name}`, timeZone) ??
    kit.vendorDateTime(reading, value[`${name}Local`], `${path}.${name}Local`, timeZone);
  const startsAt = momentOf('startTime');
  const endsAt = momentOf('endTime');
  if (startsAt === undefined) return undefined;
  const { productCode: activityId, productName: activityName } = value;
  return kit.vendorSession(reading, { startsAt, endsAt, activityId, activityName }, path);
}

const hasCount = (value: unknown) => value !== undefined && value !== null;

/**
 * The number of people that an item is booked for. There may be fewer participants, since they can be added later. A
 * cancelled order may have lost its quantities; then its participants are counted.
 */
function paxOf(reading: kit.Reading, item: kit.ListedObject, isCancelled: boolean): number {
  const { value, path } = item;
  const named = participantsOf(item).length;
  const quantities = kit
    .objectsIn(value.quantities)
    .map((quantity, index) =>
      kit.requiredCount(reading, quantity.value, `${path}.quantities[${index}].value`),
    );
  if (isCancelled && quantities.length === 0 && !hasCount(value.totalQuantity)) return named;
  const pax =
    quantities.length > 0
      ? quantities.reduce((sum, count) => sum + count, 0)
      : kit.requiredCount(reading, value.totalQuantity, `${path}.totalQuantity`);
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

/** Reads one booking, `GET /bookings/{orderNumber}`. Throws InvalidBookingResponse, which names each invalid field. */
export async function fetchBooking(
  {
    http,
    account,
  }: BookingSystemContext<unknown, InstalledAccount & { readonly timeZone?: string | undefined }>,
  bookingId: string,
): Promise<FetchedBooking> {
  const response = await http.get(`bookings/${kit.bookingSegment(bookingId, 'read')}`);
  const found = bookingIn(response, { kind: 'read', bookingId });
  const reading = new kit.Reading();
  const status = kit.requiredText(reading, found.status, 'status');
  // A cancelled order may have lost its items, times and customer.
  const isCancelled = statusMap[status] === 'cancelled';
  const items = isCancelled && !found.items ? [] : kit.requiredObjects(reading, found.items, 'items');
  const sessions = items.map((item) =>
    readSession(isCancelled ? new kit.Reading() : reading, item, account.timeZone),
  );
  const bookedSessions = sessions.filter((session) => session !== undefined);
  const isWithoutTimes = isCancelled && bookedSessions.length === 0;
  const attended = items.filter((item, index) => {
    if (isWithoutTimes || sessions[index] !== undefined) return true;
    reading.warn('item_skipped', item.path, `${item.path} has no time: it was left out`);
    return false;
  });
  const booking = {
    id: kit.requiredText(reading, found.orderNumber, 'orderNumber'),
    status,
    contact: readContact(reading, found.customer, isCancelled),
    pax: attended.reduce((sum, item) => sum + paxOf(reading, item, isCancelled), 0),
    guests: attended.flatMap(readGuests),
    bookedSessions,
    notes: kit.textOf(found.comments),
    resellerReference: kit.textOf(found.resellerReference),
  };
  const withoutSession = `no item of ${displayName} order ${kit.quoted(bookingId)} has a time: it is open-dated, a gift card or a pick-up; give it a date in Rezdy`;
  const request = { bookingId, idPath: 'orderNumber', withoutSession };
  return kit.finishNativeBooking(reading, booking, request, statusMap);
}

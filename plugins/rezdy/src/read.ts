import type { BookedSession, Contact, FetchedBooking, Guest } from '@waiver-service/core';
import {
  bookingSegment,
  finishNativeBooking,
  isJsonObject,
  type JsonObject,
  kindOf,
  type ListedObject,
  objectOf,
  objectsIn,
  type Person,
  quoted,
  Reading,
  requiredCount,
  requiredObjects,
  requiredText,
  textOf,
  textsByLabel,
  vendorContact,
  vendorDateTime,
  vendorPerson,
  vendorSession,
} from '@waiver-service/plugin-kit';
import type { Context } from './account.ts';
import { bookingIn, isCancelled, statusMap } from './answers.ts';

/** A participant of an item. */
interface Participant {
  /** The positions of the item and of the participant in it, from 1: Rezdy's participants have no id. */
  readonly id: string;
  readonly path: string;
  readonly fields: readonly JsonObject[];
}

/** The labels of a participant's name and contact fields, normalized by {@link plainLabel}. */
export const personLabels = {
  fullName: ['fullname', 'name'],
  firstName: ['firstname', 'givenname'],
  lastName: ['lastname', 'surname', 'familyname'],
  email: ['email', 'emailaddress'],
  phoneNumber: ['phone', 'phonenumber', 'mobile', 'mobilephone'],
} as const;

/** The label of a field; empty if it has none. */
export const labelOf = ({ label }: JsonObject): string => (typeof label === 'string' ? label : '');

/** Normalizes a label for comparison: `First Name` is `firstname`. */
export const plainLabel = (label: string): string => label.toLowerCase().replace(/[^a-z]/g, '');

/** The position of an item in its order, from 1; `path` is `items[0]`. */
const positionOf = (path: string) => Number(path.replace(/\D/g, '')) + 1;

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A list element that is not an object is not a participant, but counts as a position. */
export function participantsOf({ value, path }: ListedObject): readonly Participant[] {
  const participants: Participant[] = [];
  for (const [index, participant] of listOf(value.participants).entries()) {
    if (!isJsonObject(participant)) continue;
    participants.push({
      id: `${positionOf(path)}-${index + 1}`,
      path: `${path}.participants[${index}]`,
      fields: objectsIn(participant.fields),
    });
  }
  return participants;
}

/** The person described by a participant's fields. An empty field has a label and no value. */
export function personOf(fields: readonly JsonObject[]): Person {
  const answerTo = (labels: readonly string[]) =>
    fields
      .filter((field) => labels.includes(plainLabel(labelOf(field))))
      .map(({ value }) => textOf(value))
      .find((answer) => answer !== undefined);
  return vendorPerson({
    fullName: answerTo(personLabels.fullName),
    firstName: answerTo(personLabels.firstName),
    lastName: answerTo(personLabels.lastName),
    email: answerTo(personLabels.email),
    phoneNumber: answerTo(personLabels.phoneNumber),
  });
}

/**
 * The type of an item's participants: `adult`, `child`, or the vendor's label. Rezdy does not say which participant has
 * which type, so it is known only if all of them have the same.
 */
function participantTypeOf({ quantities }: JsonObject): string | undefined {
  const [quantity, ...others] = objectsIn(quantities);
  const label = textOf(quantity?.optionLabel);
  if (label === undefined || others.length > 0) return undefined;
  const plain = plainLabel(label);
  if (/^adults?$/.test(plain)) return 'adult';
  return /^child(ren)?$/.test(plain) ? 'child' : label;
}

/** The participants of an item as guests. */
function readGuests(item: ListedObject): Guest[] {
  const participantType = participantTypeOf(item.value);
  return participantsOf(item).map(({ id, fields }) => ({
    ...textsByLabel(fields.map(({ label, value }) => [textOf(label), textOf(value)])),
    participantType,
    ...personOf(fields),
    id,
  }));
}

/** The sum of an item's quantities, or its total if it has none. */
function readQuantity(reading: Reading, { value, path }: ListedObject): number {
  const quantities = objectsIn(value.quantities);
  if (quantities.length === 0) return requiredCount(reading, value.totalQuantity, `${path}.totalQuantity`);
  return quantities
    .map((quantity, index) => requiredCount(reading, quantity.value, `${path}.quantities[${index}].value`))
    .reduce((sum, count) => sum + count, 0);
}

const isWithoutQuantity = ({ quantities, totalQuantity }: ListedObject['value']) =>
  objectsIn(quantities).length === 0 && (totalQuantity === undefined || totalQuantity === null);

/**
 * The number of people that an item is booked for. There may be fewer participants, since they can be added later. A
 * cancelled order may have lost its quantities; then its participants are counted.
 */
function readPax(reading: Reading, item: ListedObject, isOrderCancelled: boolean): number {
  const { value, path } = item;
  const participants = participantsOf(item).length;
  if (isOrderCancelled && isWithoutQuantity(value)) return participants;
  const pax = readQuantity(reading, item);
  const warnIfOther = (name: string, count: number) => {
    if (count === pax) return;
    reading.warn('count_disagrees', `${path}.${name}`, `${path} is for ${pax}, its ${name} say ${count}`);
  };
  warnIfOther('totalQuantity', Number(textOf(value.totalQuantity) ?? pax));
  if (participants > 0) warnIfOther('participants', participants);
  return pax;
}

/** Reads a time of an item: in UTC or, if only the local time is given, in the account's time zone. */
function readTime(
  reading: Reading,
  { value, path }: ListedObject,
  name: 'startTime' | 'endTime',
  timeZone: string | undefined,
): string | undefined {
  return (
    vendorDateTime(reading, value[name], `${path}.${name}`, timeZone) ??
    vendorDateTime(reading, value[`${name}Local`], `${path}.${name}Local`, timeZone)
  );
}

/** An item's session; `undefined` if it has no time. */
function readSession(
  reading: Reading,
  item: ListedObject,
  timeZone: string | undefined,
): BookedSession | undefined {
  const startsAt = readTime(reading, item, 'startTime', timeZone);
  const endsAt = readTime(reading, item, 'endTime', timeZone);
  if (startsAt === undefined) return undefined;
  const { productCode: activityId, productName: activityName } = item.value;
  return vendorSession(reading, { startsAt, endsAt, activityId, activityName }, item.path);
}

/** Reads one booking by its order number. Throws core's errors. */
export async function fetchBooking({ http, account }: Context, bookingId: string): Promise<FetchedBooking> {
  const response = await http.get(`bookings/${bookingSegment(bookingId, 'read')}`);
  const order = bookingIn(response, { purpose: 'read', bookingId });
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

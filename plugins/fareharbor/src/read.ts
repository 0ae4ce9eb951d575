import {
  type BookedSession,
  type Booking,
  type Contact,
  type FetchedBooking,
  type Guest,
  InvalidBookingResponse,
  type StatusGroup,
} from '@waiver-service/core';
import {
  bookingSegment,
  definedFields,
  expectObject,
  finishNativeBooking,
  isJsonObject,
  type JsonObject,
  kindOf,
  objectOf,
  objectsIn,
  participantTypeOf,
  Reading,
  requiredText,
  statusGroupOf,
  textOf,
  textsByLabel,
  vendorContact,
  vendorDateTime,
  vendorSession,
  withoutNoteLines,
} from '@waiver-service/plugin-kit';
import { raiseForFareHarbor } from './answers.ts';
import type { Context } from './settings.ts';

// Each rebooking costs a request.
const maxRebookings = 10;

/** A booking as FareHarbor serves it, its own id, and its path. */
export interface FoundBooking {
  readonly uuid: string;
  readonly path: string;
  readonly booking: JsonObject;
}

/** Reads one booking, even if it was replaced. Throws core's errors. */
export async function requestBooking({ http, account }: Context, uuid: string): Promise<FoundBooking> {
  const path = `companies/${account.shortname}/bookings/${bookingSegment(uuid, 'read')}/`;
  const response = await http.get(path);
  raiseForFareHarbor(response, { purpose: 'read', bookingId: uuid });
  const { booking } = expectObject(response.data);
  if (isJsonObject(booking)) return { uuid: textOf(booking.uuid) ?? uuid, path, booking };
  throw new InvalidBookingResponse('the answer is not a booking', [
    { path: 'booking', message: 'is missing' },
  ]);
}

const rebookedTooOften = (how: string) =>
  new InvalidBookingResponse(`the booking was rebooked ${how}: look it up in FareHarbor`);

/** A booking, and those that it was rebooked to or from, each read on demand. Throws core's errors. */
async function* followRebookings(
  context: Context,
  first: FoundBooking,
  direction: 'rebooked_to' | 'rebooked_from',
): AsyncGenerator<FoundBooking> {
  const visited = new Set([first.uuid]);
  let found = first;
  for (;;) {
    yield found;
    const next = textOf(found.booking[direction]);
    if (next === undefined) return;
    if (visited.has(next)) throw rebookedTooOften('in a circle');
    if (visited.size > maxRebookings) throw rebookedTooOften(`more than ${maxRebookings} times`);
    visited.add(next);
    found = await requestBooking(context, next);
  }
}

/** Reads a booking, or the one that replaced it. Throws core's errors. */
export async function findCurrentBooking(context: Context, bookingId: string): Promise<FoundBooking> {
  let current = await requestBooking(context, bookingId);
  for await (const one of followRebookings(context, current, 'rebooked_to')) current = one;
  return current;
}

/**
 * A booking and those that it replaced, newest first. Each is read on demand, so that the caller can write to one
 * before the next is read. Throws core's errors.
 */
export const withReplacedBookings = (context: Context, current: FoundBooking): AsyncGenerator<FoundBooking> =>
  followRebookings(context, current, 'rebooked_from');

function isField({ custom_field: field, name }: JsonObject, wanted: string): boolean {
  return [objectOf(field).pk, objectOf(field).name, name].some(
    (one) => textOf(one)?.toLowerCase() === wanted.toLowerCase(),
  );
}

// The value of an option is its `pk`, which says nothing.
const answerIn = ({ custom_field: field, value, display_value }: JsonObject) =>
  (objectOf(field).type === 'extended-option' ? undefined : textOf(value)) ?? textOf(display_value);

/** The answer in the custom field with this name or `pk`; of an option, its name. */
function answerOf(values: unknown, wanted: string): string | undefined {
  return objectsIn(values)
    .filter((value) => isField(value, wanted))
    .map(answerIn)
    .find((answer) => answer !== undefined);
}

/**
 * The answered custom fields by name, with the values that FareHarbor displays: `Yes`, the name of an option. Omits
 * fields named in `reservedNames`, which would be mistaken for a booking's or guest's field of that name.
 */
function readCustomFields(values: unknown, reservedNames: ReadonlySet<string>): Record<string, string> {
  const answers = objectsIn(values).map(
    (value) =>
      [
        textOf(value.name) ?? textOf(objectOf(value.custom_field).name),
        textOf(value.display_value) ?? textOf(value.value),
      ] as const,
  );
  return textsByLabel(answers.filter(([name = '']) => !reservedNames.has(name)));
}

/** The company's own name for the customer type. */
function customerTypeOf(rate: unknown): string | undefined {
  const { customer_type: type, customer_prototype: prototype } = objectOf(rate);
  return textOf(objectOf(type).singular) ?? textOf(objectOf(prototype).display_name);
}

const guestFieldNames = new Set(['id', 'guestId', 'name', 'participantType']);

/** Reads a customer as a guest. Customers have names only if the company has a custom field for them. */
function readGuest(customer: unknown, nameField?: string): Guest {
  const { pk, customer_type_rate: rate, custom_field_values: values } = objectOf(customer);
  return {
    ...readCustomFields(values, guestFieldNames),
    ...definedFields({
      id: textOf(pk),
      name: nameField === undefined ? undefined : answerOf(values, nameField),
      participantType: participantTypeOf(customerTypeOf(rate)),
    }),
  };
}

// Far above any charter: a phone number in a text field must not become a number of people.
const maxPeople = 10_000;

function peopleIn(reading: Reading, answer: string | undefined, path: string): number | undefined {
  if (answer === undefined) return undefined;
  const people = /^\d+$/.test(answer) ? Number(answer) : 0;
  if (people >= 1 && people <= maxPeople) return people;
  const message = `${path} has an answer in guestCountField that is not a whole number from 1 to ${maxPeople}: ignored`;
  reading.warn('value_ignored', path, message);
  return undefined;
}

/**
 * The number of people of a booking: its customers or, for a company that sells a charter as one customer, the answer in
 * `countField`. The booking's answer counts before the customers'; a customer without one is one person.
 */
function paxOf(
  reading: Reading,
  { custom_field_values: values }: JsonObject,
  customers: readonly unknown[],
  countField: string | undefined,
): number {
  if (countField === undefined) return customers.length;
  const peopleOf = (customer: unknown, index: number) => {
    const answer = answerOf(objectOf(customer).custom_field_values, countField);
    return peopleIn(reading, answer, `customers[${index}].custom_field_values`) ?? 1;
  };
  const path = 'custom_field_values';
  const people =
    peopleIn(reading, answerOf(values, countField), path) ??
    customers.map(peopleOf).reduce((sum, count) => sum + count, 0);
  if (people >= customers.length) return people;
  const message = `guestCountField says ${people}, but there are ${customers.length} customers: they count`;
  reading.warn('count_disagrees', path, message);
  return customers.length;
}

/** Reads one booking, or the one that replaced it. Throws core's errors. */
export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  const current = await findCurrentBooking(context, bookingId);
  const { guestNameField } = context.settings;
  const { guestCountField } = context.account;
  return readBooking(current.booking, bookingId, { guestNameField, guestCountField });
}

/** FareHarbor's statuses. A rebooked booking is normally read as the one that replaced it. */
export const statusMap: Record<string, StatusGroup> = {
  booked: 'active',
  cancelled: 'cancelled',
  rebooked: 'cancelled',
};

function readSessions(reading: Reading, availability: unknown): BookedSession[] {
  const { start_at, end_at, item, headline } = objectOf(availability);
  const { pk: activityId, name } = objectOf(item);
  const startsAt = vendorDateTime(reading, start_at, 'availability.start_at');
  const endsAt = vendorDateTime(reading, end_at, 'availability.end_at');
  if (startsAt === undefined) return [];
  const fields = {
    startsAt,
    endsAt,
    activityId,
    activityName: textOf(name) ?? headline,
  };
  return [vendorSession(reading, fields, 'availability')];
}

function readContact(reading: Reading, contact: unknown): Contact {
  if (!isJsonObject(contact)) reading.refuse('contact', `is ${kindOf(contact)} where an object must be`);
  const { name, email, normalized_phone, phone } = objectOf(contact);
  return vendorContact(reading, { name, email, phoneNumber: textOf(normalized_phone) ?? phone }, 'contact');
}

const isCancelled = ({ status }: JsonObject) =>
  statusGroupOf(statusMap, textOf(status) ?? '') === 'cancelled';

/** The customers of a booking; a cancelled one may have lost them. */
function readCustomers(reading: Reading, found: JsonObject): readonly unknown[] {
  const { customers } = found;
  if (Array.isArray(customers)) return customers;
  const isGone = customers === undefined || customers === null;
  if (!isCancelled(found) || !isGone) {
    reading.refuse('customers', `is ${kindOf(customers)} where a list must be`);
  }
  return [];
}

// A booking's fields extend each guest's: a custom field called `email` must not become every guest's address.
const bookingFieldNames = new Set([
  'id',
  'status',
  'statusGroup',
  'contact',
  'pax',
  'guests',
  'bookedSessions',
  'startsAt',
  'endsAt',
  'activities',
  'guestId',
  'name',
  'email',
  'phoneNumber',
  'participantType',
  'notes',
  'displayId',
]);

const withoutSession = 'the FareHarbor booking has no availability: there is nothing to check in to';

/** The custom fields, by name or `pk`, that mean something for a booking. */
interface NamedFields {
  readonly guestNameField?: string | undefined;
  readonly guestCountField?: string | undefined;
}

/** Reads a FareHarbor booking. Throws InvalidBookingResponse, which names each invalid field. */
export function readBooking(
  found: JsonObject,
  bookingId: string,
  { guestNameField, guestCountField }: NamedFields = {},
): FetchedBooking {
  const reading = new Reading();
  const { customer_count: count } = found;
  const customers = readCustomers(reading, found);
  if (typeof count === 'number' && count !== customers.length) {
    const message = `customer_count says ${count}, but there are ${customers.length} customers: they count`;
    reading.warn('count_disagrees', 'customer_count', message);
  }
  const notes = textOf(withoutNoteLines(textOf(found.note) ?? ''));
  const booking: Booking = {
    ...readCustomFields(found.custom_field_values, bookingFieldNames),
    id: requiredText(reading, found.uuid, 'uuid'),
    status: requiredText(reading, found.status, 'status'),
    contact: readContact(reading, found.contact),
    pax: paxOf(reading, found, customers, guestCountField),
    guests: customers.map((one) => readGuest(one, guestNameField)),
    // Invalid times must not hide that a booking is cancelled.
    bookedSessions: readSessions(isCancelled(found) ? new Reading() : reading, found.availability),
    ...definedFields({ notes, displayId: textOf(found.display_id) }),
  };
  return finishNativeBooking(reading, booking, { bookingId, idPath: 'uuid', withoutSession }, statusMap);
}

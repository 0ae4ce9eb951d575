import type { BookingSystemManifest, FetchedBooking, Guest } from '@waiver-service/core';
import {
  bookingSegment,
  definedFields,
  expectObject,
  finishNativeBooking,
  invalidIdReason,
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsIn,
  type Person,
  percentEncode,
  Reading,
  raiseForStatus,
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
import type { Context } from './settings.ts';
import { isWaiverField } from './write/waiver-field.ts';

/** A place in a booking, and the person who holds it. */
interface Participant {
  /** Category and index, such as `Cadults-1`: stable even if another person takes the place. */
  readonly slot: string | undefined;
  readonly categoryId: string | undefined;
  /** `PSELF` for the customer, `PUNKNOWN` for a vacant place, `PNEW` for a person without an id yet, else a linked person's id. */
  readonly personId: string;
  /** Empty if the person is unknown, or if our key may not read the person. */
  readonly person: JsonObject;
  /** The path for changing the person; `undefined` if there is nobody to change. */
  readonly address: string | undefined;
}

export const isVacant = ({ personId }: Participant): boolean => personId === 'PUNKNOWN';
export const isKnown = (person: JsonObject): boolean => Object.keys(person).length > 0;

const customerPath = (id: string | undefined) =>
  id === undefined || invalidIdReason(id) !== undefined ? undefined : `customers/${percentEncode(id)}`;

const customerPathOf = ({ customer, customerId }: JsonObject) =>
  customerPath(textOf(customerId) ?? textOf(objectOf(customer).id));

/** The customer who booked, whether or not they hold a place. */
export function customerOf(booking: JsonObject): Pick<Participant, 'person' | 'address'> {
  const person = objectOf(booking.customer);
  return { person, address: isKnown(person) ? customerPathOf(booking) : undefined };
}

/** A linked person belongs to a customer: usually, but not always, the one who booked. */
function linkedPersonPath(booking: JsonObject, person: JsonObject, personId: string): string | undefined {
  const owner = customerPath(textOf(person.customerId)) ?? customerPathOf(booking);
  if (owner === undefined || !isKnown(person) || personId === 'PNEW') return undefined;
  if (invalidIdReason(personId) !== undefined) return undefined;
  return `${owner}/linkedpeople/${percentEncode(personId)}`;
}

/**
 * The customer as a participant. Their details may lack most of the customer's record, so they say who takes part, but
 * only a booking that shows the record has an address: a change sends back everything that the address has.
 */
function customerAsParticipant(booking: JsonObject, details: JsonObject) {
  const { person, address } = customerOf(booking);
  return { person: isKnown(details) ? details : person, address };
}

function readParticipant(participant: JsonObject, booking: JsonObject): Participant {
  const categoryId = textOf(participant.peopleCategoryId);
  const categoryIndex = textOf(participant.categoryIndex);
  const person = objectOf(participant.personDetails);
  const personId = textOf(participant.personId) ?? textOf(person.id) ?? 'PUNKNOWN';
  const isIdentified = categoryId !== undefined && categoryIndex !== undefined;
  const place = {
    slot: isIdentified ? `${categoryId}-${categoryIndex}` : undefined,
    categoryId,
    personId,
  };
  switch (personId) {
    case 'PUNKNOWN':
      return { ...place, person: {}, address: undefined };
    case 'PSELF':
      return { ...place, ...customerAsParticipant(booking, person) };
    default:
      return { ...place, person, address: linkedPersonPath(booking, person, personId) };
  }
}

/** The places of a booking, in Bookeo's order; none if the booking has no participant details. */
export const participantsOf = (booking: JsonObject): Participant[] =>
  objectsIn(objectOf(booking.participants).details).map((one) => readParticipant(one, booking));

/** Name, email and first phone number of a customer or linked person. */
function readPerson({ firstName, lastName, emailAddress, phoneNumbers }: JsonObject): Person {
  const numbers = objectsIn(phoneNumbers).map(({ number }) => textOf(number));
  const phoneNumber = numbers.find((number) => number !== undefined);
  return vendorPerson({ firstName, lastName, email: emailAddress, phoneNumber });
}

// The categories that every account has; custom categories are passed on by id.
const participantTypes: Readonly<Record<string, string>> = { Cadults: 'adult', Cchildren: 'child' };

/**
 * The custom fields by name, except the waiver field, which may contain other guests' answers. If a name repeats, the
 * first field counts.
 */
function answersOf({ customFields }: JsonObject, waiverField: string): JsonObject {
  return textsByLabel(
    objectsIn(customFields)
      .filter((field) => !isWaiverField(field, waiverField))
      .map(({ name, id, value }) => [textOf(name) ?? textOf(id), textOf(value)]),
  );
}

/** Reads a participant as a guest; without a name if the person is unknown. */
function readGuest(
  reading: Reading,
  { slot, categoryId, person }: Participant,
  path: string,
  waiverField: string,
): Guest {
  if (slot === undefined) {
    reading.warn('value_ignored', path, `${path} lacks a category or an index: the guest has no id`);
  }
  return {
    ...answersOf(person, waiverField),
    id: slot,
    ...readPerson(person),
    participantType: categoryId === undefined ? undefined : (participantTypes[categoryId] ?? categoryId),
    peopleCategoryId: categoryId,
    dateOfBirth: textOf(person.dateOfBirth),
    gender: textOf(person.gender),
  };
}

/** Requests one booking, with its customer and participants. Throws core's errors. */
export async function requestBooking({ http }: Context, bookingId: string): Promise<JsonObject> {
  const params = { expandCustomer: 'true', expandParticipants: 'true' };
  const response = await http.get(`bookings/${bookingSegment(bookingId, 'read')}`, { params });
  raiseForStatus(response, { bookingSystem: 'Bookeo', purpose: 'read', bookingId });
  return expectObject(response.data);
}

export async function fetchBooking(context: Context, bookingId: string): Promise<FetchedBooking> {
  return readBooking(await requestBooking(context, bookingId), bookingId, context.account.waiverField);
}

/** Bookeo has no status, only two booleans; these are our names for their combinations. */
export const statusMap: NonNullable<BookingSystemManifest['statusMap']> = {
  accepted: 'active',
  'not-accepted': 'other',
  canceled: 'cancelled',
};

// A booking that did not need to be accepted counts as accepted.
function statusOf({ canceled, accepted }: JsonObject): string {
  if (canceled === true) return 'canceled';
  return accepted === false ? 'not-accepted' : 'accepted';
}

function readPax(reading: Reading, { participants, canceled }: JsonObject, details: number): number {
  const path = 'participants.numbers';
  // Invalid numbers or times must not hide that a booking is canceled.
  const figures = canceled === true ? new Reading() : reading;
  const numbers = requiredObjects(figures, objectOf(participants).numbers, path);
  const counts = numbers.map((one) => requiredCount(figures, one.value.number, `${one.path}.number`));
  const pax = counts.reduce((sum, count) => sum + count, 0);
  if (canceled === true && pax === 0) return details;
  if (details > 0 && details !== pax) {
    const message = `the numbers add up to ${pax}, the details are ${details}: the numbers count`;
    reading.warn('count_disagrees', path, message);
  }
  return pax;
}

function readOptions({ options }: JsonObject): JsonObject[] | undefined {
  const chosen = objectsIn(options).map(({ id, name, value }) =>
    definedFields({ id: textOf(id), name: textOf(name), value: textOf(value) }),
  );
  return chosen.length > 0 ? chosen : undefined;
}

const withoutSession = 'the Bookeo booking has no startTime: there is nothing to check in to';

/** Reads a Bookeo booking. Throws InvalidBookingResponse, which names each invalid field. */
export function readBooking(booking: JsonObject, bookingId: string, waiverField: string): FetchedBooking {
  const reading = new Reading();
  const guests = participantsOf(booking).map((participant, index) =>
    readGuest(reading, participant, `participants.details[${index}]`, waiverField),
  );
  const { canceled, customer, bookingNumber, startTime, endTime, productId, productName } = booking;
  const unread = 'is missing: allow our application to read customers';
  if (!isJsonObject(customer) && canceled !== true) reading.refuse('customer', unread);
  const times = canceled === true ? new Reading() : reading;
  const session = {
    startsAt: vendorDateTime(times, startTime, 'startTime'),
    endsAt: vendorDateTime(times, endTime, 'endTime'),
    activityId: productId,
    activityName: productName,
  };
  const read = {
    id: requiredText(reading, textOf(bookingNumber), 'bookingNumber'),
    status: statusOf(booking),
    contact: vendorContact(reading, readPerson(objectOf(customer)), 'customer'),
    pax: readPax(reading, booking, guests.length),
    guests,
    options: readOptions(booking),
    bookedSessions: session.startsAt === undefined ? [] : [vendorSession(times, session, 'the booking')],
  };
  return finishNativeBooking(
    reading,
    read,
    { bookingId, idPath: 'bookingNumber', withoutSession },
    statusMap,
  );
}

import type { BookingSystemManifest, FetchedBooking, Guest } from '@waiver-service/core';
import {
  bookingSegment,
  definedFields,
  expectObject,
  finishNativeBooking,
  isJsonObject,
  type JsonObject,
  objectOf,
  objectsIn,
  Reading,
  raiseForStatus,
  requiredCount,
  requiredObjects,
  requiredText,
  textOf,
  textsByLabel,
  vendorContact,
  vendorDateTime,
  vendorSession,
} from '@waiver-service/plugin-kit';
import { type Participant, participantsOf, readPerson } from './read/participants.ts';
import type { Context } from './settings.ts';
import { isWaiverField } from './write/waiver-field.ts';

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

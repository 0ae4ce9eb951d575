import type { Guest } from '@waiver-service/core';
import {
  type JsonObject,
  objectOf,
  objectsIn,
  percentEncode,
  type Reading,
  textOf,
  vendorGuest,
  vendorPerson,
} from '@waiver-service/plugin-kit';

/** One place in a booking, and who holds it. */
export interface Participant {
  /** Category and index, such as `Cadults-1`: it stays when another person takes the place. */
  readonly slot: string | undefined;
  /** What Bookeo tells of the person; nothing where nobody is known, or our key may not see them. */
  readonly person: JsonObject;
  /** Where the person is changed; `undefined` where there is nobody to change. */
  readonly address: string | undefined;
}

const isKnown = (person: JsonObject) => Object.keys(person).length > 0;
const folderOf = (id: string | undefined) => id && `customers/${percentEncode(id)}`;
const customerFolder = ({ customer, customerId }: JsonObject) =>
  folderOf(textOf(customerId) ?? textOf(objectOf(customer).id));

/** The customer who booked, whether or not they hold a place. */
export function customerOf(booking: JsonObject): Participant {
  const person = objectOf(booking.customer);
  return { slot: undefined, person, address: isKnown(person) ? customerFolder(booking) : undefined };
}

function readParticipant(participant: JsonObject, booking: JsonObject): Participant {
  const { personId, peopleCategoryId, categoryIndex, personDetails } = participant;
  const [category, place] = [textOf(peopleCategoryId), textOf(categoryIndex)];
  const slot = category && place && `${category}-${place}`;
  const told = objectOf(personDetails);
  const id = textOf(personId) ?? textOf(told.id) ?? 'PUNKNOWN';
  if (id === 'PUNKNOWN') return { slot, person: {}, address: undefined };
  const customer = isKnown(told) ? told : booking.customer;
  if (id === 'PSELF') return { ...customerOf({ ...booking, customer }), slot };
  const owner = folderOf(textOf(told.customerId)) ?? customerFolder(booking);
  // PNEW stands in what is sent to Bookeo, for someone who has no id as yet.
  const canChange = owner && isKnown(told) && id !== 'PNEW';
  const address = canChange ? `${owner}/linkedpeople/${percentEncode(id)}` : undefined;
  return { slot, person: told, address };
}

/** The places of a booking, in Bookeo's order. None where Bookeo gives no details of participants. */
export const participantsOf = (booking: JsonObject): Participant[] =>
  objectsIn(objectOf(booking.participants).details).map((one) => readParticipant(one, booking));

/** How a person is called and reached. */
export function readPerson({ firstName, lastName, emailAddress: email, phoneNumbers }: JsonObject) {
  const numbers = objectsIn(phoneNumbers).map(({ number }) => textOf(number));
  return vendorPerson({ firstName, lastName, email, phoneNumber: numbers.find((number) => number) });
}

/** The holder of a place, as a guest: with a name where Bookeo tells who it is. */
export function readGuest(reading: Reading, { slot, person }: Participant, path: string): Guest {
  if (!slot) reading.warn('value_ignored', path, `${path} lacks a category or an index: the guest has no id`);
  const guest = { id: slot, ...readPerson(person), dateOfBirth: textOf(person.dateOfBirth) };
  return vendorGuest(reading, guest, path);
}

import {
  invalidIdReason,
  type JsonObject,
  objectOf,
  objectsIn,
  type Person,
  percentEncode,
  textOf,
  vendorPerson,
} from '@waiver-service/plugin-kit';

/** A place in a booking, and the person who holds it. */
export interface Participant {
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
export function readPerson({ firstName, lastName, emailAddress, phoneNumbers }: JsonObject): Person {
  const numbers = objectsIn(phoneNumbers).map(({ number }) => textOf(number));
  const phoneNumber = numbers.find((number) => number !== undefined);
  return vendorPerson({ firstName, lastName, email: emailAddress, phoneNumber });
}

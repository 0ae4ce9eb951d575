import {
  type JsonObject,
  objectOf,
  objectsIn,
  percentEncode,
  textOf,
  vendorPerson,
} from '@waiver-service/plugin-kit';

/** A place in a booking, and the person who holds it. */
export interface Participant {
  /** Category and index, such as `Cadults-1`: stable even if another person takes the place. */
  readonly slot: string | undefined;
  readonly categoryId: string | undefined;
  /** `PSELF` for the customer, `PUNKNOWN` for nobody, `PNEW` for a person without an id yet, else a linked person's id. */
  readonly personId: string;
  /** Empty if nobody is known, or if our key may not read the person. */
  readonly person: JsonObject;
  /** The path for changing the person; `undefined` if there is nobody to change. */
  readonly address: string | undefined;
}

export const isKnown = (person: JsonObject) => Object.keys(person).length > 0;
const customerPath = (id: string | undefined) => id && `customers/${percentEncode(id)}`;
const customerPathOf = ({ customer, customerId }: JsonObject) =>
  customerPath(textOf(customerId) ?? textOf(objectOf(customer).id));

/** The customer who booked, whether or not they hold a place. */
export function customerOf(booking: JsonObject): Pick<Participant, 'person' | 'address'> {
  const person = objectOf(booking.customer);
  return { person, address: isKnown(person) ? customerPathOf(booking) : undefined };
}

function readParticipant(participant: JsonObject, booking: JsonObject): Participant {
  const { peopleCategoryId, categoryIndex, personDetails } = participant;
  const categoryId = textOf(peopleCategoryId);
  const place = textOf(categoryIndex);
  const slot = categoryId && place && `${categoryId}-${place}`;
  const person = objectOf(personDetails);
  const personId = textOf(participant.personId) ?? textOf(person.id) ?? 'PUNKNOWN';
  const held = { slot, categoryId, personId };
  if (personId === 'PUNKNOWN') return { ...held, person: {}, address: undefined };
  const customer = isKnown(person) ? person : booking.customer;
  if (personId === 'PSELF') return { ...held, ...customerOf({ ...booking, customer }) };
  const owner = customerPath(textOf(person.customerId)) ?? customerPathOf(booking);
  const canChange = owner && isKnown(person) && personId !== 'PNEW';
  const address = canChange ? `${owner}/linkedpeople/${percentEncode(personId)}` : undefined;
  return { ...held, person, address };
}

/** The places of a booking, in Bookeo's order; none if the booking has no participant details. */
export const participantsOf = (booking: JsonObject): Participant[] =>
  objectsIn(objectOf(booking.participants).details).map((one) => readParticipant(one, booking));

export function readPerson({ firstName, lastName, emailAddress: email, phoneNumbers }: JsonObject) {
  const numbers = objectsIn(phoneNumbers).map(({ number }) => textOf(number));
  return vendorPerson({ firstName, lastName, email, phoneNumber: numbers.find((number) => number) });
}

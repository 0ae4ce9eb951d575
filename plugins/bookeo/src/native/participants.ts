import {
  type JsonObject,
  objectOf,
  objectsIn,
  percentEncode,
  textOf,
  vendorPerson,
} from '@waiver-service/plugin-kit';

/** One place in a booking, and who holds it. */
export interface Participant {
  /** Category and index, such as `Cadults-1`: it stays when another person takes the place. */
  readonly slot: string | undefined;
  readonly categoryId: string | undefined;
  /** `PSELF` for the customer, `PUNKNOWN` for nobody, `PNEW` for someone who has no id as yet, else a linked person's id. */
  readonly personId: string;
  /** What Bookeo tells of the person; nothing where nobody is known, or our key may not see them. */
  readonly person: JsonObject;
  /** Where the person is changed; `undefined` where there is nobody to change. */
  readonly address: string | undefined;
}

export const isKnown = (person: JsonObject) => Object.keys(person).length > 0;
const folderOf = (id: string | undefined) => id && `customers/${percentEncode(id)}`;
const customerFolder = ({ customer, customerId }: JsonObject) =>
  folderOf(textOf(customerId) ?? textOf(objectOf(customer).id));

/** The customer who booked, whether or not they hold a place. */
export function customerOf(booking: JsonObject): Pick<Participant, 'person' | 'address'> {
  const person = objectOf(booking.customer);
  return { person, address: isKnown(person) ? customerFolder(booking) : undefined };
}

function readParticipant(participant: JsonObject, booking: JsonObject): Participant {
  const { peopleCategoryId, categoryIndex, personDetails } = participant;
  const [categoryId, place] = [textOf(peopleCategoryId), textOf(categoryIndex)];
  const slot = categoryId && place && `${categoryId}-${place}`;
  const told = objectOf(personDetails);
  const personId = textOf(participant.personId) ?? textOf(told.id) ?? 'PUNKNOWN';
  const held = { slot, categoryId, personId };
  if (personId === 'PUNKNOWN') return { ...held, person: {}, address: undefined };
  const customer = isKnown(told) ? told : booking.customer;
  if (personId === 'PSELF') return { ...held, ...customerOf({ ...booking, customer }) };
  const owner = folderOf(textOf(told.customerId)) ?? customerFolder(booking);
  const canChange = owner && isKnown(told) && personId !== 'PNEW';
  const address = canChange ? `${owner}/linkedpeople/${percentEncode(personId)}` : undefined;
  return { ...held, person: told, address };
}

/** The places of a booking, in Bookeo's order. None where Bookeo gives no details of participants. */
export const participantsOf = (booking: JsonObject): Participant[] =>
  objectsIn(objectOf(booking.participants).details).map((one) => readParticipant(one, booking));

/** How a person is called and reached. */
export function readPerson({ firstName, lastName, emailAddress: email, phoneNumbers }: JsonObject) {
  const numbers = objectsIn(phoneNumbers).map(({ number }) => textOf(number));
  return vendorPerson({ firstName, lastName, email, phoneNumber: numbers.find((number) => number) });
}

import type { SimulatedAnswer } from '@waiver-service/simulator';

/** A customer, or a person linked to one. Additional fields are kept. */
export interface BookeoPerson {
  readonly id: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly customFields?: readonly BookeoCustomField[];
  readonly [field: string]: unknown;
}

/** A custom field of a person, identified by id, name or both. */
export interface BookeoCustomField {
  readonly id?: string;
  readonly name?: string;
  readonly value: string;
}

/** A customer and the people linked to them. */
export interface BookeoCustomer {
  readonly person: BookeoPerson;
  readonly linkedPeople: readonly BookeoPerson[];
}

/** A place in a booking. `personId` is `PSELF` for the customer, `PUNKNOWN` for a vacant place, else a linked person's id. */
export interface BookeoParticipant {
  readonly personId: string;
  readonly peopleCategoryId: string;
  readonly categoryIndex: number;
}

/** A booking as Bookeo stores it; a response includes its people only if the request asks to expand them. */
export interface BookeoBooking {
  readonly bookingNumber: string;
  readonly customerId: string;
  readonly participants: {
    readonly numbers: readonly { readonly peopleCategoryId: string; readonly number: number }[];
    readonly details: readonly BookeoParticipant[];
  };
  readonly [field: string]: unknown;
}

/** A customer with one linked person, and a custom field filled by staff. */
export const bookeoCustomer: BookeoCustomer = {
  person: {
    id: '4155700C',
    firstName: 'Zoë',
    lastName: 'Bäcker',
    emailAddress: 'zoe@example.com',
    phoneNumbers: [{ number: '+43 512 123456', type: 'mobile' }],
    numBookings: 3,
    languageCode: 'de',
    customFields: [{ id: 'F1', name: 'Waiver', value: 'Paper waiver of 2025 in the blue folder' }],
  },
  linkedPeople: [
    {
      id: '4155700L1',
      customerId: '4155700C',
      firstName: 'Ægir',
      lastName: 'Þórsson',
      dateOfBirth: '2015-03-02',
      streetAddress: { city: 'Innsbruck', countryCode: 'AT' },
      creationTime: '2026-01-02T10:00:00+01:00',
      customFields: [{ id: 'F2', name: 'Shoe size', value: '34' }],
    },
  ],
};

/** A booking of the customer, the linked person and an unknown person. */
export const bookeoBooking: BookeoBooking = {
  bookingNumber: '1551811041123456',
  eventId: '4155U9FKHK_2027-06-12',
  startTime: '2027-06-12T09:30:00+02:00',
  endTime: '2027-06-12T13:00:00+02:00',
  customerId: '4155700C',
  title: 'Zoë Bäcker',
  participants: {
    numbers: [
      { peopleCategoryId: 'Cadults', number: 2 },
      { peopleCategoryId: 'Cchildren', number: 1 },
    ],
    details: [
      { personId: 'PSELF', peopleCategoryId: 'Cadults', categoryIndex: 1 },
      { personId: 'PUNKNOWN', peopleCategoryId: 'Cadults', categoryIndex: 2 },
      { personId: '4155700L1', peopleCategoryId: 'Cchildren', categoryIndex: 1 },
    ],
  },
  canceled: false,
  accepted: true,
  productId: '4155HRMK3',
  productName: 'Canyoning half day ',
  options: [{ id: 'O1', name: 'Wetsuit', value: 'true' }],
  externalRef: 'desk-17',
  price: { totalGross: { amount: '180', currency: 'EUR' } },
};

// Fields that Bookeo maintains itself; it ignores them in requests.
const readOnly = ['id', 'customerId', 'creationTime', 'numBookings'];

/** The content of a simulated Bookeo account. */
export interface BookeoContent {
  readonly bookings: Map<string, BookeoBooking>;
  readonly people: BookeoPeople;
  /** The names and ids of the account's customer custom fields. */
  readonly customFields: readonly string[];
  /** Whether the details of a new person are kept when an existing booking is changed. */
  readonly keepsNewPeople: boolean;
  /** Whether a changed person keeps the custom fields in the change. */
  readonly keepsCustomFields: boolean;
  /** Who was notified of a change by mail: `notifyUsers`, `notifyCustomer`. */
  readonly notifications: string[];
  shows(booking: Readonly<Record<string, unknown>>): unknown;
}

/** Bookeo's customers and the people linked to them. */
export class BookeoPeople {
  readonly #customers: Map<string, BookeoCustomer>;
  readonly #showsLinkedPeople: boolean;

  /** @param showsLinkedPeople - whether a key may read people who are linked to customers. Default: true. */
  constructor(customers: Iterable<BookeoCustomer>, showsLinkedPeople = true) {
    this.#showsLinkedPeople = showsLinkedPeople;
    this.#customers = new Map([...customers].map((customer) => [customer.person.id, customer]));
  }

  /** Finds a customer, or a person linked to one. */
  find(customerId: string, linkedPersonId?: string): BookeoPerson | undefined {
    const customer = this.#customers.get(customerId);
    if (linkedPersonId === undefined) return customer?.person;
    return customer?.linkedPeople.find(({ id }) => id === linkedPersonId);
  }

  /** Replaces a person: omitted fields are lost. */
  change(
    customerId: string,
    linkedPersonId: string | undefined,
    change: Readonly<Record<string, unknown>>,
  ): void {
    const customer = this.#customers.get(customerId);
    const former = this.find(customerId, linkedPersonId);
    if (customer === undefined || former === undefined) throw new Error('there is no such person');
    const kept = Object.entries(former).filter(([name]) => readOnly.includes(name));
    const writable = Object.entries(change).filter(([name]) => !readOnly.includes(name));
    const person = { ...Object.fromEntries(writable), ...Object.fromEntries(kept), id: former.id };
    const linkedPeople = customer.linkedPeople.map((one) => (one === former ? person : one));
    this.#customers.set(customerId, {
      person: linkedPersonId === undefined ? person : customer.person,
      linkedPeople,
    });
  }

  /** Links a new person to a customer. Returns the person's id. */
  add(customerId: string, details: Readonly<Record<string, unknown>>): string {
    const customer = this.#customers.get(customerId);
    if (customer === undefined) throw new Error('there is no such customer');
    const writable = Object.entries(details).filter(([name]) => !readOnly.includes(name));
    const id = `${customerId}N${customer.linkedPeople.length + 1}`;
    const person = { ...Object.fromEntries(writable), id, customerId };
    this.#customers.set(customerId, { ...customer, linkedPeople: [...customer.linkedPeople, person] });
    return id;
  }

  /** The response for a booking, including its people if the query asks to expand them. */
  expanded(booking: BookeoBooking, query: URLSearchParams): Record<string, unknown> {
    const { customer: own, ...others } = booking;
    const { customerId, participants } = booking;
    const customer = this.find(customerId) ?? own;
    const withPerson = (participant: BookeoParticipant) => {
      const personDetails = this.#showsLinkedPeople ? this.find(customerId, participant.personId) : undefined;
      return personDetails === undefined ? participant : { ...participant, personDetails };
    };
    const withoutPerson = ({ personId, peopleCategoryId, categoryIndex }: BookeoParticipant) => ({
      personId,
      peopleCategoryId,
      categoryIndex,
    });
    const shown = query.get('expandParticipants') === 'true' ? withPerson : withoutPerson;
    return {
      ...others,
      participants: { ...participants, details: participants.details.map(shown) },
      ...(query.get('expandCustomer') === 'true' && customer !== undefined ? { customer } : {}),
    };
  }
}

/** A response in Bookeo's error format. */
export const refuse = (status: number, message: string): SimulatedAnswer => ({
  status,
  body: { httpStatus: status, message, errorId: `E${status}` },
});

/** The value if it is a JSON object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

/** Parses a body; `undefined` unless it is a JSON object. */
export function readObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectOf(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** The first problem with a person's custom fields. */
export function fieldProblem(fields: unknown, known: readonly string[]): string | undefined {
  if (fields === undefined) return undefined;
  if (!Array.isArray(fields)) return 'customFields must be a list';
  const problems = fields.map((field: unknown) => {
    const { id, name = '', value } = objectOf(field) ?? {};
    const key = String(id ?? name);
    if (!known.includes(key)) return `there is no customer custom field ${JSON.stringify(key)}`;
    return typeof value === 'string' ? undefined : `the custom field ${JSON.stringify(key)} needs a value`;
  });
  return problems.find((problem) => problem !== undefined);
}

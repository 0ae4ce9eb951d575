import type { BookeoBooking, BookeoCustomer, BookeoParticipant, BookeoPerson } from './bookeo-booking.ts';

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
    const { customerId, participants } = booking;
    const customer = this.find(customerId);
    const withPerson = (participant: BookeoParticipant) => {
      const personDetails = this.#showsLinkedPeople ? this.find(customerId, participant.personId) : undefined;
      return personDetails === undefined ? participant : { ...participant, personDetails };
    };
    const details =
      query.get('expandParticipants') === 'true'
        ? participants.details.map(withPerson)
        : participants.details;
    return {
      ...booking,
      participants: { ...participants, details },
      ...(query.get('expandCustomer') === 'true' && customer !== undefined ? { customer } : {}),
    };
  }
}

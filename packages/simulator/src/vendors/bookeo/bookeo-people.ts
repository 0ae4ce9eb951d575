import type { BookeoBooking, BookeoCustomer, BookeoParticipant, BookeoPerson } from './bookeo-booking.ts';

// What Bookeo counts or keeps by itself; it takes no notice of what it is told here.
const readOnly = ['id', 'customerId', 'creationTime', 'numBookings'];

/** Bookeo's customers and the people linked to them, as its bookings show them. */
export class BookeoPeople {
  readonly #customers: Map<string, BookeoCustomer>;

  constructor(customers: Iterable<BookeoCustomer>) {
    this.#customers = new Map([...customers].map((customer) => [customer.person.id, customer]));
  }

  /** A customer, or a person linked to one; `undefined` where there is none. */
  find(customerId: string, linkedPersonId?: string): BookeoPerson | undefined {
    const customer = this.#customers.get(customerId);
    if (linkedPersonId === undefined) return customer?.person;
    return customer?.linkedPeople.find(({ id }) => id === linkedPersonId);
  }

  /** Replaces all that is known of a person: what the change leaves out is gone. */
  change(
    customerId: string,
    linkedPersonId: string | undefined,
    change: Readonly<Record<string, unknown>>,
  ): void {
    const customer = this.#customers.get(customerId);
    const former = this.find(customerId, linkedPersonId);
    if (customer === undefined || former === undefined) throw new Error('there is no such person');
    const kept = Object.entries(former).filter(([name]) => readOnly.includes(name));
    const told = Object.entries(change).filter(([name]) => !readOnly.includes(name));
    const person = { ...Object.fromEntries(told), ...Object.fromEntries(kept), id: former.id };
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
    const told = Object.entries(details).filter(([name]) => !readOnly.includes(name));
    const id = `${customerId}N${customer.linkedPeople.length + 1}`;
    const person = { ...Object.fromEntries(told), id, customerId };
    this.#customers.set(customerId, { ...customer, linkedPeople: [...customer.linkedPeople, person] });
    return id;
  }

  /** A booking as it is answered, with its people where the question asks for them. */
  expanded(booking: BookeoBooking, query: URLSearchParams): Record<string, unknown> {
    const { customerId, participants } = booking;
    const customer = this.find(customerId);
    const withPerson = (participant: BookeoParticipant) => {
      const personDetails = this.find(customerId, participant.personId);
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

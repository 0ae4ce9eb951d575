import type { SimulatedBooking } from './simulated-booking.ts';

/** The bookings of a simulated booking system. */
export class BookingCollection {
  readonly #bookings = new Map<string, SimulatedBooking>();

  constructor(bookings: Iterable<SimulatedBooking>) {
    for (const booking of bookings) this.add(booking);
  }

  /** Every booking, in the order in which it was added. */
  get all(): readonly SimulatedBooking[] {
    return [...this.#bookings.values()];
  }

  get(id: string): SimulatedBooking | undefined {
    return this.#bookings.get(id);
  }

  /** Adds a booking. Throws if its id is taken. */
  add(booking: SimulatedBooking): void {
    if (this.#bookings.has(booking.id))
      throw new Error(`there is a booking ${booking.id} already: replace it`);
    this.#bookings.set(booking.id, booking);
  }

  /** Replaces the booking with the same id. Throws if there is none. */
  replace(booking: SimulatedBooking): void {
    if (!this.#bookings.has(booking.id))
      throw new Error(`there is no booking ${booking.id} to replace: add it`);
    this.#bookings.set(booking.id, booking);
  }

  /** Removes a booking, so that reading it returns 404. Returns whether there was one. */
  remove(id: string): boolean {
    return this.#bookings.delete(id);
  }
}

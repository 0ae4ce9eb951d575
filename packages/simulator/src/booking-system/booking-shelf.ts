import type { SimulatedBooking } from './simulated-booking.ts';

/** The bookings that a simulated booking system holds. */
export class BookingShelf {
  readonly #bookings = new Map<string, SimulatedBooking>();

  constructor(bookings: Iterable<SimulatedBooking>) {
    for (const booking of bookings) this.add(booking);
  }

  /** Every booking, in the order of adding. */
  get all(): readonly SimulatedBooking[] {
    return [...this.#bookings.values()];
  }

  /** The booking of an id, `undefined` where there is none. */
  get(id: string): SimulatedBooking | undefined {
    return this.#bookings.get(id);
  }

  /** Adds a booking. Throws where its id is taken. */
  add(booking: SimulatedBooking): void {
    if (this.#bookings.has(booking.id))
      throw new Error(`there is a booking ${booking.id} already: replace it`);
    this.#bookings.set(booking.id, booking);
  }

  /** Puts a booking in the place of the one with the same id. Throws where there is none. */
  replace(booking: SimulatedBooking): void {
    if (!this.#bookings.has(booking.id))
      throw new Error(`there is no booking ${booking.id} to replace: add it`);
    this.#bookings.set(booking.id, booking);
  }

  /** Removes a booking; it is a 404 from then on. Returns whether there was one. */
  remove(id: string): boolean {
    return this.#bookings.delete(id);
  }
}

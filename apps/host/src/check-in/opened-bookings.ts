import { type BookingSystemError, isBookingSystemError } from '@waiver-service/core';
import type { BookingKey } from '@waiver-service/waivers';
import { createSingleFlight } from '../booking-reading/booking-reader.ts';
import { isHeldBack } from '../booking-reading/read-breaker.ts';
import { findLinkedBooking, type LinkedBooking, type LinkServices, readBooking } from './link-booking.ts';

/** How long openings of a booking's links share one read of its booking system. */
const sharedMs = 60_000;
const maxBookings = 10_000;

/** The outcome of the last read. */
interface LastRead {
  readonly at: number;
  /** Undefined if the booking was read. */
  readonly failure: BookingSystemError | undefined;
}

/** Reads bookings as links to them are opened. */
export interface OpenedBookings {
  /**
   * The booking as it is stored, if the booking system was asked for it within the last minute: anyone may open a link,
   * as often as they like. What the booking system announces meanwhile is stored, too. Undefined for a pool without a
   * setup.
   * @throws as the booking reader does; the same error for a minute
   */
  read(key: BookingKey, signal: AbortSignal): Promise<LinkedBooking | undefined>;
}

/** @param now - milliseconds of a clock */
export function createOpenedBookings(services: LinkServices, now: () => number = Date.now): OpenedBookings {
  const flights = createSingleFlight<LinkedBooking | undefined>();
  const lastReads = new Map<string, LastRead>();

  function note(id: string, failure: BookingSystemError | undefined): void {
    lastReads.delete(id);
    lastReads.set(id, { at: now(), failure });
    const [oldest] = lastReads.keys();
    if (lastReads.size > maxBookings && oldest !== undefined) lastReads.delete(oldest);
  }

  async function readOnce(id: string, key: BookingKey, signal: AbortSignal) {
    const last = lastReads.get(id);
    const isRecent = last !== undefined && now() - last.at < sharedMs;
    const stored = await findLinkedBooking(services, key);
    const storedAt = stored?.fetchedAt?.getTime() ?? 0;
    const isNews = last === undefined || storedAt > last.at;
    // By another host, or after an announcement.
    const isStoredNow = isNews && now() - storedAt < sharedMs;
    if (stored?.booking !== undefined && (isStoredNow || (isRecent && last.failure === undefined)))
      return stored;
    if (isRecent && last.failure !== undefined) throw last.failure;
    try {
      const linked = await readBooking(services, key, signal);
      note(id, undefined);
      return linked;
    } catch (error) {
      // One that was held back has not reached the booking system.
      if (isBookingSystemError(error) && !isHeldBack(error)) note(id, error);
      throw error;
    }
  }

  return {
    read(key, signal) {
      const id = JSON.stringify([key.pool, key.bookingSystem, key.bookingId]);
      return flights.run(id, signal, (flightSignal) => readOnce(id, key, flightSignal));
    },
  };
}

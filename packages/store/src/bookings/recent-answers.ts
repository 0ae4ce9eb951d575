import { hash } from 'node:crypto';
import type { BookingKey } from '@waiver-service/waivers';
import type { ReadBooking } from './upsert-bookings.ts';

/** An answer that is to be stored, or was. */
export interface RecentAnswer {
  readonly digest: string;
  readonly readAt: number;
  isStored: boolean;
}

// Long enough to spare most writes; short beside the 24 hours for which an answer may be served.
const rewriteAfterMs = 10 * 60_000;
const maxAnswers = 20_000;

const keyOf = ({ pool, bookingSystem, bookingId }: BookingKey) =>
  JSON.stringify([pool, bookingSystem, bookingId]);

/** Remembers the last answer about each booking, so that one that has not changed is not stored again for a while. */
export class RecentAnswers {
  readonly #now: () => number;
  // Least recent first.
  readonly #answers = new Map<string, RecentAnswer>();

  /** @param now a steady clock, milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Takes note of an answer that has come. Whoever stores it sets `isStored`; `undefined` where it is stored already.
   * @param settingsVersion what it was read by: an uninstall erases what was stored
   */
  note(booking: ReadBooking, settingsVersion: string): RecentAnswer | undefined {
    const digest = hash('sha256', `${settingsVersion} ${JSON.stringify(booking.fetched)}`, 'base64');
    const key = keyOf(booking);
    const last = this.#answers.get(key);
    const readAt = this.#now();
    if (last?.isStored && last.digest === digest && readAt - last.readAt < rewriteAfterMs) return undefined;
    const answer = { digest, readAt, isStored: false };
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > maxAnswers && oldest !== undefined) this.#answers.delete(oldest);
    return answer;
  }

  /** Something else is stored for this booking. */
  forget(booking: BookingKey): void {
    this.#answers.delete(keyOf(booking));
  }
}

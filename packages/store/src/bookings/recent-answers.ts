import { hash } from 'node:crypto';
import type { BookingKey } from '@waiver-service/waivers';
import { bookingKeyText } from '../database/booking-ids.ts';
import type { ReadBooking } from './upsert-bookings.ts';

/** A response that is stored, or will be. */
export interface RecentAnswer {
  readonly pool: string;
  readonly digest: string;
  readonly requestedAt: number;
  isStored: boolean;
}

// Long enough to avoid most writes, and short compared with the 24 hours for which a response may be served.
const rewriteAfterMs = 10 * 60_000;
const maxAnswers = 20_000;

/** Remembers the last response for each booking, so that an unchanged one is not stored again too soon. */
export class RecentAnswers {
  readonly #now: () => number;
  // Least recently used first.
  readonly #answers = new Map<string, RecentAnswer>();

  /** @param now a monotonic clock, in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Records a response, unless that of a later request is recorded. The caller stores it and sets `isStored`.
   * @param settingsVersion distinguishes responses from before an uninstall, which erases stored bookings
   * @returns undefined if the response, or that of the later request, is already stored
   */
  note(booking: ReadBooking, settingsVersion: string): RecentAnswer | undefined {
    const digest = hash('sha256', `${settingsVersion} ${JSON.stringify(booking.fetched)}`, 'base64');
    const key = bookingKeyText(booking);
    const last = this.#answers.get(key);
    const { requestedAt = this.#now() } = booking;
    const sinceLastMs = requestedAt - (last?.requestedAt ?? requestedAt);
    const isSame = last?.digest === digest && sinceLastMs < rewriteAfterMs;
    if (last?.isStored && (isSame || sinceLastMs < 0)) return undefined;
    const answer = { pool: booking.pool, digest, requestedAt, isStored: false };
    if (sinceLastMs < 0) return answer;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > maxAnswers && oldest !== undefined) this.#answers.delete(oldest);
    return answer;
  }

  /** Forgets the booking, because another response was stored. */
  forget(booking: BookingKey): void {
    this.#answers.delete(bookingKeyText(booking));
  }

  /** Forgets the bookings of a pool, or all, because they may no longer be stored. */
  forgetAll(pool?: string): void {
    for (const [key, answer] of this.#answers) {
      if (pool === undefined || answer.pool === pool) this.#answers.delete(key);
    }
  }
}

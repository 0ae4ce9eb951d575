import { hash } from 'node:crypto';
import { batchAcrossPools, retryDeadlock } from '@waiver-service/database';
import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { bookingKeyText } from '../database/booking-ids.ts';
import type { Database } from '../database/tables.ts';
import type { StoreContext, StoreEvent } from '../store-context.ts';
import { followStoredBooking } from '../waivers/follow-booking.ts';
import { type ReadBooking, upsertBookings } from './stored-bookings.ts';

/** A response that is stored, or will be. */
interface RecentAnswer {
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

interface QueuedBooking {
  booking: ReadBooking;
  requestedAt: number;
  readonly key: string;
}

const maxBatchSize = 64;
// After this, a save held up by a lock continues in the background.
const maxWaitMs = 2_000;

/** Has a booking's waivers follow it. The installation's lock keeps messages from outliving an uninstall. */
function follow(
  database: Database,
  { pool, bookingSystem, bookingId }: BookingKey,
): Promise<readonly string[]> {
  return retryDeadlock(() =>
    database.transaction().execute(async (transaction) => {
      const { rows } = await sql`
select from installation where pool = ${pool} and booking_system = ${bookingSystem} and status = 'installed'
for share`.execute(transaction);
      if (rows.length === 0) return [];
      return followStoredBooking(transaction, { pool, bookingSystem, bookingId });
    }),
  );
}

/** Stores responses of booking systems; concurrent ones share a statement. */
export function createBookingWriter(
  { database, notifications }: StoreContext,
  onNotice: (event: StoreEvent) => void,
) {
  const recent = new RecentAnswers();
  notifications.listen('removed_bookings', (pool) => recent.forgetAll(pool));

  async function followAndSend(booking: BookingKey): Promise<void> {
    const followed = await follow(database, booking);
    if (followed.length === 0) return;
    notifications.announce('changes');
    notifications.announce('outbox');
  }

  /** Not part of a statement yet: the response of a later request for the booking replaces it. */
  const queued = new Map<string, { readonly entry: QueuedBooking; readonly stored: Promise<void> }>();

  const write = batchAcrossPools<QueuedBooking, void>({
    maxBatchSize,
    poolOf: ({ booking }) => booking.pool,
    keyOf: ({ key }) => key,
    async run(batch, lockTimeoutMs) {
      // A batch held up by a lock is rerun: keep a newer response queued since.
      for (const entry of batch) if (queued.get(entry.key)?.entry === entry) queued.delete(entry.key);
      const now = performance.now();
      const bookings = batch.map(({ booking, requestedAt }) => ({ ...booking, ageMs: now - requestedAt }));
      const toFollow = new Set(
        (await retryDeadlock(() => upsertBookings(database, bookings, lockTimeoutMs))).map(bookingKeyText),
      );
      return Promise.allSettled(
        bookings.map(async (booking) => {
          if (toFollow.has(bookingKeyText(booking))) await followAndSend(booking);
        }),
      );
    },
  });

  function enqueue(booking: ReadBooking): Promise<void> {
    const key = bookingKeyText(booking);
    const { requestedAt = performance.now() } = booking;
    const other = queued.get(key);
    if (other !== undefined) {
      if (other.entry.requestedAt <= requestedAt) Object.assign(other.entry, { booking, requestedAt });
      return other.stored;
    }
    const entry = { key, booking, requestedAt };
    const stored = write(entry);
    queued.set(key, { entry, stored });
    return stored;
  }

  async function saveNoted(booking: ReadBooking, answer: RecentAnswer): Promise<boolean> {
    try {
      await enqueue(booking);
      answer.isStored = true;
      return true;
    } catch (error) {
      const { pool, bookingSystem, bookingId } = booking;
      const message = error instanceof Error ? error.message : String(error);
      onNotice({ kind: 'booking-not-saved', pool, bookingSystem, bookingId, message });
      return false;
    }
  }

  return {
    /** Resolves when the response, or that of a later request for the booking, is stored; rejects if that fails. */
    save(booking: ReadBooking): Promise<void> {
      recent.forget(booking);
      return enqueue(booking);
    },
    /**
     * Stores the response unless an identical one, read with the same configuration, was stored within the last ten
     * minutes. Reports a failure as a notice, and waits for locks for two seconds at most.
     * @returns true if this call stored it; false if it was stored before, failed, or is still waiting
     */
    async saveIfNew(booking: ReadBooking, settingsVersion: string): Promise<boolean> {
      const answer = recent.note(booking, settingsVersion);
      if (answer === undefined) return false;
      const saving = saveNoted(booking, answer);
      const { promise: waited, resolve } = Promise.withResolvers<false>();
      const timer = setTimeout(() => resolve(false), maxWaitMs);
      return Promise.race([saving, waited]).finally(() => clearTimeout(timer));
    },
    /** Has the next response for a booking stored, even if it is identical to the last one. */
    forget: (booking: BookingKey): void => recent.forget(booking),
  };
}

import { batchAcrossPools, retryDeadlock } from '@waiver-service/database';
import type { BookingKey } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { bookingKeyText } from '../database/booking-ids.ts';
import type { Database } from '../database/tables.ts';
import type { StoreContext, StoreEvent } from '../store-context.ts';
import { followStoredBooking } from '../waivers/follow-booking.ts';
import { type RecentAnswer, RecentAnswers } from './recent-answers.ts';
import { type ReadBooking, upsertBookings } from './upsert-bookings.ts';

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

import { batchCalls } from '../database/batch-calls.ts';
import type { Database } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import { correctLastVisits } from '../waivers/index.ts';
import { type BookingKey, keepBookings, type ReadBooking } from './keep-bookings.ts';
import { createLinger } from './linger.ts';

/** Saves bookings that were read. */
export interface BookingSaver {
  /** Resolves when the booking, or a newer reading of it, is saved. */
  save(booking: ReadBooking): Promise<void>;
  /**
   * Resolves when nothing of this booking, or of any where none is named, is still to be saved, whether or not that
   * worked. Whoever asks hastens it.
   */
  settled(booking?: BookingKey): Promise<void>;
}

interface Waiting {
  readonly key: string;
  booking: ReadBooking;
  /** When it was read, on the steady clock. */
  readAt: number;
}

const mostTogether = 64;
// Nobody waits for an answer to be saved; a statement for each would cost more than all the rest of a read.
const lingerMs = 25;

const keyOf = ({ pool, bookingSystem, bookingId }: BookingKey) =>
  JSON.stringify([pool, bookingSystem, bookingId]);

// The lock keeps a record that is sent again from outliving an uninstall.
function correct(database: Database, { pool, bookingSystem, bookingId, fetched }: ReadBooking) {
  const sessions = fetched.booking.bookedSessions;
  return retryDeadlock(() =>
    database.transaction().execute(async (transaction) => {
      const installed = await transaction
        .selectFrom('installation')
        .select('pool')
        .where('pool', '=', pool)
        .where('booking_system', '=', bookingSystem)
        .where('status', '=', 'installed')
        .forShare()
        .executeTakeFirst();
      if (installed === undefined) return 0;
      return correctLastVisits(transaction, { pool, bookingSystem, bookingId, sessions });
    }),
  );
}

/**
 * Makes what saves bookings; those that come at about the same time are saved together.
 *
 * @param onEnqueued told after something that is to be sent was committed.
 */
export function createBookingSaver(database: Database, onEnqueued: () => void): BookingSaver {
  const waiting = new Map<string, { readonly call: Waiting; readonly saved: Promise<void> }>();
  const unsettled = new Map<string, Promise<void>>();
  const linger = createLinger(lingerMs, mostTogether);

  async function correctAndSend({ booking }: Waiting): Promise<void> {
    if ((await correct(database, booking)) > 0) onEnqueued();
  }

  const saveTogether = batchCalls<Waiting, void>({
    maxBatchSize: mostTogether,
    keyOf: ({ key }) => key,
    partitionOf: ({ booking }) => booking.pool,
    async run(calls) {
      for (const { key } of calls) waiting.delete(key);
      const now = performance.now();
      const bookings = calls.map(({ booking, readAt }) => ({ ...booking, ageMs: now - readAt }));
      const toCorrect = new Set((await retryDeadlock(() => keepBookings(database, bookings))).map(keyOf));
      return Promise.allSettled(
        calls.map((call) => (toCorrect.has(call.key) ? correctAndSend(call) : Promise.resolve())),
      );
    },
  });

  function begin(call: Waiting): Promise<void> {
    const saved = linger.wait().then(() => saveTogether(call));
    const settled = saved
      .catch(() => {})
      .then(() => {
        if (unsettled.get(call.key) === settled) unsettled.delete(call.key);
      });
    waiting.set(call.key, { call, saved });
    unsettled.set(call.key, settled);
    return saved;
  }

  return {
    save(booking) {
      const key = keyOf(booking);
      const readAt = performance.now();
      const former = waiting.get(key);
      if (former === undefined) return begin({ key, booking, readAt });
      former.call.booking = booking;
      former.call.readAt = readAt;
      return former.saved;
    },
    async settled(booking) {
      if (unsettled.size === 0) return;
      const awaited = booking === undefined ? [...unsettled.values()] : [unsettled.get(keyOf(booking))];
      if (awaited[0] === undefined) return;
      linger.end();
      await Promise.all(awaited);
    },
  };
}

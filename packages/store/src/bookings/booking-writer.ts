import type { BookingKey } from '@waiver-service/waivers';
import { batchAcrossPools } from '../database/batch-across-pools.ts';
import type { Database } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import type { StoreEvent } from '../store-context.ts';
import { correctLastVisits } from '../waivers/index.ts';
import { RecentAnswers } from './recent-answers.ts';
import { type ReadBooking, upsertBookings } from './upsert-bookings.ts';

/**
 * Writes the answers of booking systems behind the reads that brought them: a statement for each would cost more than
 * all the rest of a read. Whatever reads a booking from the database, or what depends on it, flushes first.
 */
export interface BookingWriter {
  /** Resolves when the answer, or a newer one for the booking, is stored; rejects where that fails. */
  save(booking: ReadBooking): Promise<void>;
  /**
   * Has the answer stored soon, together with others; one that was stored as it is within the last ten minutes is not
   * stored again. Resolves at once, or, where too many wait, when it is stored.
   */
  saveSoon(booking: ReadBooking, settingsVersion: string): Promise<void>;
  /** Resolves when the answer for this booking, or every answer, is stored or has failed; does not wait for a batch. */
  flush(booking?: BookingKey): Promise<void>;
}

/** Told of what happens behind the reads. */
export interface BookingWriterListeners {
  readonly onEnqueued: () => void;
  readonly onNotice: (event: StoreEvent) => void;
}

interface Unstored {
  readonly key: string;
  booking: ReadBooking;
  /** On the steady clock. */
  readAt: number;
  readonly start: () => void;
  readonly stored: Promise<void>;
}

const maxBatchSize = 64;
const maxWaitMs = 25;
// Each is held in memory.
const maxUnstored = 256;

const keyOf = ({ pool, bookingSystem, bookingId }: BookingKey) =>
  JSON.stringify([pool, bookingSystem, bookingId]);

/** Corrects the waivers of a booking. The lock keeps what they send from outliving an uninstall. */
function correctWaivers(database: Database, { pool, bookingSystem, bookingId, fetched }: ReadBooking) {
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

/** Makes the {@link BookingWriter} of this process. */
export function createBookingWriter(
  database: Database,
  { onEnqueued, onNotice }: BookingWriterListeners,
): BookingWriter {
  /** In no statement yet: a newer answer for the booking takes the place of an older one. */
  const queued = new Map<string, Unstored>();
  /** Queued or in a statement; the newest for each booking. */
  const unstored = new Map<string, Unstored>();
  const recent = new RecentAnswers();
  let timer: NodeJS.Timeout | undefined;

  async function correctAndSend({ booking }: Unstored): Promise<void> {
    if ((await correctWaivers(database, booking)) > 0) onEnqueued();
  }

  const write = batchAcrossPools<Unstored, void>({
    maxBatchSize,
    poolOf: ({ booking }) => booking.pool,
    keyOf: ({ key }) => key,
    async run(batch, lockTimeoutMs) {
      for (const { key } of batch) queued.delete(key);
      const now = performance.now();
      const bookings = batch.map(({ booking, readAt }) => ({ ...booking, ageMs: now - readAt }));
      const toCorrect = new Set(
        (await retryDeadlock(() => upsertBookings(database, bookings, lockTimeoutMs))).map(keyOf),
      );
      return Promise.allSettled(
        batch.map((each) => (toCorrect.has(each.key) ? correctAndSend(each) : Promise.resolve())),
      );
    },
  });

  function startAll(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { start } of queued.values()) start();
  }

  function enqueue(booking: ReadBooking): Unstored {
    const key = keyOf(booking);
    const readAt = performance.now();
    const older = queued.get(key);
    if (older !== undefined) return Object.assign(older, { booking, readAt });
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const stored = started.then(() => write(entry));
    const entry: Unstored = { key, booking, readAt, start, stored };
    queued.set(key, entry);
    unstored.set(key, entry);
    stored
      .catch((error: unknown) => {
        const { pool, bookingSystem, bookingId } = booking;
        const message = error instanceof Error ? error.message : String(error);
        onNotice({ kind: 'booking-not-saved', pool, bookingSystem, bookingId, message });
      })
      .finally(() => {
        if (unstored.get(key) === entry) unstored.delete(key);
      });
    return entry;
  }

  return {
    save(booking) {
      recent.forget(booking);
      const { stored } = enqueue(booking);
      startAll();
      return stored;
    },
    async saveSoon(booking, settingsVersion) {
      const answer = recent.note(booking, settingsVersion);
      if (answer === undefined) return;
      const { stored } = enqueue(booking);
      stored.then(
        () => {
          answer.isStored = true;
        },
        () => {},
      );
      if (queued.size >= maxBatchSize) startAll();
      else timer ??= setTimeout(startAll, maxWaitMs);
      if (unstored.size > maxUnstored) await stored.catch(() => {});
    },
    async flush(booking) {
      const one = booking && unstored.get(keyOf(booking));
      if (booking !== undefined && one === undefined) return;
      startAll();
      const awaited = one === undefined ? [...unstored.values()] : [one];
      await Promise.allSettled(awaited.map(({ stored }) => stored));
    },
  };
}

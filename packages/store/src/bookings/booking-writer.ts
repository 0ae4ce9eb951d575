import type { BookingKey } from '@waiver-service/waivers';
import { batchAcrossPools } from '../database/batch-across-pools.ts';
import type { Database } from '../database/database.ts';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import { isPoolMoving } from '../moves/moving-pools.ts';
import type { StoreEvent } from '../store-context.ts';
import { followStoredBooking } from '../waivers/index.ts';
import { RecentAnswers } from './recent-answers.ts';
import { type ReadBooking, upsertBookings } from './upsert-bookings.ts';

/**
 * Stores responses of booking systems in batches, after the reads that brought them: a statement for each would cost
 * more than the rest of a read. Queries that read bookings, or data that depends on them, flush first.
 */
export interface BookingWriter {
  /** Resolves when the response, or a newer one for the booking, is stored; rejects if that fails. */
  save(booking: ReadBooking): Promise<void>;
  /**
   * Queues the response to be stored with others, unless the same one was stored within the last ten minutes. Resolves
   * at once, or, if too many are queued, when it is stored.
   */
  saveSoon(booking: ReadBooking, settingsVersion: string): Promise<void>;
  /** Has the next response for a booking be stored, even if it is the same as the last one. */
  forget(booking: BookingKey): void;
  /** The same for all bookings of a pool, or of all pools. */
  forgetAll(pool?: string): void;
  /**
   * Resolves when the response for this booking, or every queued response, is stored or has failed. Does not wait for
   * the batch to fill.
   */
  flush(booking?: BookingKey): Promise<void>;
}

export interface BookingWriterListeners {
  /** These waivers were changed because their booking was. */
  readonly onFollowed: (waivers: readonly string[]) => void;
  /** Their messages were enqueued. */
  readonly onEnqueued: () => void;
  /** Called for failures that no reader learns of. */
  readonly onNotice: (event: StoreEvent) => void;
}

interface Unstored {
  readonly key: string;
  /** Those of the booking's other ids that it was asked for by, and its own. */
  readonly keys: Set<string>;
  booking: ReadBooking;
  /** By the monotonic clock. */
  readAt: number;
  readonly start: () => void;
  readonly stored: Promise<void>;
}

const maxBatchSize = 64;
const maxWaitMs = 25;
// Limited, because each is held in memory.
const maxUnstored = 256;

const keyOf = ({ pool, bookingSystem, bookingId }: BookingKey) =>
  JSON.stringify([pool, bookingSystem, bookingId]);

/** Has the waivers of a booking follow it. The installation's lock prevents messages from outliving an uninstall. */
function follow(
  database: Database,
  { pool, bookingSystem, bookingId }: BookingKey,
): Promise<readonly string[]> {
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
      if (installed === undefined) return [];
      return followStoredBooking(transaction, { pool, bookingSystem, bookingId });
    }),
  );
}

/** Creates the {@link BookingWriter} of this process. */
export function createBookingWriter(
  database: Database,
  { onFollowed, onEnqueued, onNotice }: BookingWriterListeners,
): BookingWriter {
  /** Not in a statement yet: replaced by a newer response for the same booking. */
  const queued = new Map<string, Unstored>();
  /** Queued or being stored; the newest of each booking, also by the id that it was asked for by. */
  const unstored = new Map<string, Unstored>();
  const recent = new RecentAnswers();
  let timer: NodeJS.Timeout | undefined;

  async function followAndSend({ booking }: Unstored): Promise<void> {
    const followed = await follow(database, booking);
    if (followed.length === 0) return;
    onFollowed(followed);
    onEnqueued();
  }

  const write = batchAcrossPools<Unstored, void>({
    maxBatchSize,
    poolOf: ({ booking }) => booking.pool,
    keyOf: ({ key }) => key,
    async run(batch, lockTimeoutMs) {
      // Where a lock held it up, it runs once more: a newer answer may be queued by now.
      for (const entry of batch) if (queued.get(entry.key) === entry) queued.delete(entry.key);
      const now = performance.now();
      const bookings = batch.map(({ booking, readAt }) => ({ ...booking, ageMs: now - readAt }));
      const toFollow = new Set(
        (await retryDeadlock(() => upsertBookings(database, bookings, lockTimeoutMs))).map(keyOf),
      );
      return Promise.allSettled(
        batch.map((each) => (toFollow.has(each.key) ? followAndSend(each) : Promise.resolve())),
      );
    },
  });

  function startAll(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { start } of queued.values()) start();
  }

  function addKey(entry: Unstored, { alias, ...booking }: ReadBooking): Unstored {
    if (alias !== undefined) {
      const key = keyOf({ ...booking, bookingId: alias });
      entry.keys.add(key);
      unstored.set(key, entry);
    }
    return entry;
  }

  function enqueue(booking: ReadBooking): Unstored {
    const key = keyOf(booking);
    const readAt = performance.now();
    const older = queued.get(key);
    if (older !== undefined) return Object.assign(addKey(older, booking), { booking, readAt });
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const stored = started.then(() => write(entry));
    const entry: Unstored = { key, keys: new Set([key]), booking, readAt, start, stored };
    queued.set(key, entry);
    unstored.set(key, addKey(entry, booking));
    stored
      .catch((error: unknown) => {
        // No fault: the booking's waivers follow it at the next read after the move.
        if (isPoolMoving(error)) return;
        const { pool, bookingSystem, bookingId } = booking;
        const message = error instanceof Error ? error.message : String(error);
        onNotice({ kind: 'booking-not-saved', pool, bookingSystem, bookingId, message });
      })
      .finally(() => {
        for (const each of entry.keys) if (unstored.get(each) === entry) unstored.delete(each);
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
    forget: (booking) => recent.forget(booking),
    forgetAll: (pool) => recent.forgetAll(pool),
    async flush(booking) {
      const one = booking && unstored.get(keyOf(booking));
      if (booking !== undefined && one === undefined) return;
      startAll();
      const awaited = one === undefined ? [...new Set(unstored.values())] : [one];
      await Promise.allSettled(awaited.map(({ stored }) => stored));
    },
  };
}

import { bookingIdSchema, isBookingSystemError } from '@waiver-service/core';
import type { BookingChangesQueue, ChangesClaim, Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import { type BackgroundWork, createBackgroundLoop } from '../background/background-loop.ts';
import type { BookingSources } from '../booking-reading/booking-sources.ts';
import { heldBackFor } from '../booking-reading/read-breaker.ts';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { changesRetryMs, pollWaitMs } from './change-polling-policy.ts';

const pollMs = 5_000;
const leaseMs = 60_000;
// At once in this process; each is a call of its booking system, so a slow one must leave room for others.
const maxCalls = 4;

/** Asks booking systems what has changed, and has those bookings read again. */
export type ChangePolling = BackgroundWork;

export interface ChangePollingParts {
  readonly queue: BookingChangesQueue;
  readonly pools: Pick<Store['pools'], 'setup'>;
  readonly sources: Pick<BookingSources, 'sourceFor' | 'enter' | 'ask'>;
  readonly bookingSystems: BookingSystemResolver;
  readonly log: FastifyBaseLogger;
  /** Wakes the reader of what was queued. */
  readonly wakeRefresh: () => void;
}

const isMalformedCursor = (error: unknown) =>
  isBookingSystemError(error) && error.code === 'malformed_list_cursor';

/** Creates the background polling of this process; several processes share the work. */
export function createChangePolling(parts: ChangePollingParts): ChangePolling {
  const { queue, pools, sources, bookingSystems, log, wakeRefresh } = parts;
  const loop = createBackgroundLoop(run);
  const { signal } = loop;
  const underWay = new Set<Promise<void>>();

  async function ask(claim: ChangesClaim): Promise<void> {
    const { pool, bookingSystem, cursor } = claim;
    const plugin = bookingSystems.resolve(bookingSystem);
    const setup = await pools.setup(pool);
    if (setup === undefined) return;
    const source = await sources.sourceFor(setup, bookingSystem);
    sources.enter(source);
    const now = new Date();
    const changes = await sources.ask({
      source,
      signal,
      ask: async (context) => plugin.changesSince?.(context, { cursor: cursor ?? undefined, now }),
    });
    if (changes === undefined) return;
    const bookingIds = changes.bookingIds.filter((id) => bookingIdSchema.safeParse(id).success);
    const waitMs = changes.hasMore ? 0 : pollWaitMs(plugin);
    await queue.told(claim, { bookingIds, cursor: changes.cursor, waitMs });
    if (bookingIds.length > 0) wakeRefresh();
  }

  async function recordFailure(claim: ChangesClaim, error: unknown): Promise<void> {
    const { pool, bookingSystem, failures } = claim;
    const heldBackMs = heldBackFor(error);
    if (heldBackMs !== undefined) return queue.postpone(claim, Math.ceil(heldBackMs), false);
    log.info(
      { err: error, pool, bookingSystem, failures },
      'a booking system could not be asked for changes',
    );
    if (isMalformedCursor(error)) {
      // Of a former version of the plugin. What was told after it is not known any more: read all that is stored.
      return queue.told(claim, { bookingIds: [], missedCalls: true, cursor: null, waitMs: 0 });
    }
    return queue.postpone(claim, changesRetryMs(bookingSystems.resolve(bookingSystem), failures), true);
  }

  function begin(claim: ChangesClaim): void {
    const asking: Promise<void> = ask(claim)
      // Its lease expires, and another process asks.
      .catch((error: unknown) => (signal.aborted ? undefined : recordFailure(claim, error)))
      .catch((error: unknown) =>
        log.error({ err: error }, 'the changes that a booking system reported could not be stored'),
      )
      .finally(() => {
        underWay.delete(asking);
        loop.wake();
      });
    underWay.add(asking);
  }

  async function run(): Promise<void> {
    const telling = bookingSystems
      .manifests()
      .filter(({ capabilities }) => capabilities.changes !== undefined);
    const names = telling.map(({ installName }) => installName);
    while (!signal.aborted && names.length > 0) {
      const limit = maxCalls - underWay.size;
      try {
        if (limit > 0) {
          for (const claim of await queue.claim({ bookingSystems: names, limit, leaseMs })) begin(claim);
        }
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, 'asking for changed bookings failed');
      }
      await loop.sleep(pollMs);
    }
    await Promise.all(underWay);
  }

  return loop;
}

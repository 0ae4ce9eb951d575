import { type BookingSystemManifest, bookingIdSchema, isBookingSystemError } from '@waiver-service/core';
import type { ChangesClaim } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import { type BackgroundWork, createBackgroundLoop } from '../background/background-loop.ts';
import type { BookingSources } from '../booking-reading/booking-sources.ts';
import { heldBackFor } from '../booking-reading/read-breaker.ts';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import type { Log, Store } from '../given.ts';
import type { BookingRefresh } from './booking-refresh.ts';

const pollMs = 5_000;
const leaseMs = 60_000;
// Concurrent calls of this process: a slow booking system must leave room for the others.
const maxCalls = 4;

const maxRetryMs = 3_600_000;
const firstRetryMs = 60_000;

/** Milliseconds between polls of a booking system; null if it is polled only after a lost webhook call. */
export const pollWaitMs = ({ capabilities }: Pick<BookingSystemManifest, 'capabilities'>): number | null =>
  capabilities.changes?.pollEveryMs ?? null;

/** Milliseconds to wait after a failure: twice as long each time, from the usual wait to an hour. */
export const changesRetryMs = (
  plugin: Pick<BookingSystemManifest, 'capabilities'>,
  failuresBefore: number,
): number => {
  const usualMs = pollWaitMs(plugin) ?? firstRetryMs;
  return Math.max(usualMs, Math.min(usualMs * 2 ** failuresBefore, maxRetryMs));
};

const isMalformedCursor = (error: unknown) =>
  isBookingSystemError(error) && error.code === 'malformed_list_cursor';

export type ChangePolling = BackgroundWork;
export const ChangePolling: ServiceIdentifier<ChangePolling> = Symbol('ChangePolling');

/** Creates the background polling of this process; several processes share the work. */
export function createChangePolling({
  store: { bookingChanges: queue, pools },
  bookingSources: sources,
  bookingSystems,
  log,
  bookingRefresh,
}: {
  readonly store: Store;
  readonly bookingSources: BookingSources;
  readonly bookingSystems: BookingSystemResolver;
  readonly log: Log;
  readonly bookingRefresh: BookingRefresh;
}): BackgroundWork {
  const loop = createBackgroundLoop(run);
  const { signal } = loop;
  const underWay = new Set<Promise<void>>();

  async function ask(claim: ChangesClaim): Promise<void> {
    const { pool, bookingSystem, cursor } = claim;
    const plugin = bookingSystems.resolve(bookingSystem);
    const setup = await pools.setup(pool);
    if (setup === undefined) return;
    const source = await sources.sourceFor(setup, bookingSystem);
    sources.admit(source);
    const now = new Date();
    const changes = await sources.ask({
      source,
      signal,
      ask: async (context) => plugin.changesSince?.(context, { cursor: cursor ?? undefined, now }),
    });
    if (changes === undefined) return;
    const bookingIds = changes.bookingIds.filter((id) => bookingIdSchema.safeParse(id).success);
    const waitMs = changes.hasMore ? 0 : pollWaitMs(plugin);
    await queue.report(claim, { bookingIds, cursor: changes.cursor, waitMs });
    if (bookingIds.length > 0) bookingRefresh.wake();
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
      // The cursor is from an earlier version of the plugin: changes after it are unknown, so read all stored bookings.
      return queue.report(claim, { bookingIds: [], missedCalls: true, cursor: null, waitMs: 0 });
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

import { type BookingSystemManifest, bookingIdSchema, isBookingSystemError } from '@waiver-service/core';
import type { ChangesClaim } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { BackgroundLoop } from '../background-loop.ts';
import { Log, Store } from '../given.ts';
import { BookingSystemResolver } from '../plugins/booking-system-resolver.ts';
import { BookingSources } from '../reading/booking-sources.ts';
import { heldBackFor } from '../reading/read-breaker.ts';
import { BookingRefresh } from './booking-refresh.ts';

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

/** Polls booking systems for changed bookings, and queues them to be reread; several processes share the work. */
@injectable()
export class ChangePolling extends BackgroundLoop {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    @inject(Store) private readonly store: Store,
    @inject(Log) private readonly log: Log,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(BookingSources) private readonly bookingSources: BookingSources,
    @inject(BookingRefresh) private readonly bookingRefresh: BookingRefresh,
  ) {
    super();
  }

  private async ask(claim: ChangesClaim): Promise<void> {
    const { pool, bookingSystem, cursor } = claim;
    const plugin = this.bookingSystems.resolve(bookingSystem);
    const setup = await this.store.pools.setup(pool);
    if (setup === undefined) return;
    const source = await this.bookingSources.sourceFor(setup, bookingSystem);
    this.bookingSources.admit(source);
    const now = new Date();
    const changes = await this.bookingSources.ask({
      source,
      signal: this.signal,
      ask: async (context) => plugin.changesSince?.(context, { cursor: cursor ?? undefined, now }),
    });
    if (changes === undefined) return;
    const bookingIds = changes.bookingIds.filter((id) => bookingIdSchema.safeParse(id).success);
    const waitMs = changes.hasMore ? 0 : pollWaitMs(plugin);
    await this.store.bookingChanges.report(claim, { bookingIds, cursor: changes.cursor, waitMs });
    if (bookingIds.length > 0) this.bookingRefresh.wake();
  }

  private async recordFailure(claim: ChangesClaim, error: unknown): Promise<void> {
    const { pool, bookingSystem, failures } = claim;
    const heldBackMs = heldBackFor(error);
    if (heldBackMs !== undefined)
      return this.store.bookingChanges.postpone(claim, Math.ceil(heldBackMs), false);
    this.log.info(
      { err: error, pool, bookingSystem, failures },
      'a booking system could not be asked for changes',
    );
    if (isMalformedCursor(error)) {
      // The cursor is from an earlier version of the plugin: changes after it are unknown, so read all stored bookings.
      return this.store.bookingChanges.report(claim, {
        bookingIds: [],
        missedCalls: true,
        cursor: null,
        waitMs: 0,
      });
    }
    return this.store.bookingChanges.postpone(
      claim,
      changesRetryMs(this.bookingSystems.resolve(bookingSystem), failures),
      true,
    );
  }

  private begin(claim: ChangesClaim): void {
    const asking: Promise<void> = this.ask(claim)
      // Its lease expires, and another process asks.
      .catch((error: unknown) => (this.signal.aborted ? undefined : this.recordFailure(claim, error)))
      .catch((error: unknown) =>
        this.log.error({ err: error }, 'the changes that a booking system reported could not be stored'),
      )
      .finally(() => {
        this.underWay.delete(asking);
        this.wake();
      });
    this.underWay.add(asking);
  }

  protected async run(): Promise<void> {
    const telling = this.bookingSystems
      .manifests()
      .filter(({ capabilities }) => capabilities.changes !== undefined);
    const names = telling.map(({ installName }) => installName);
    while (!this.signal.aborted && names.length > 0) {
      const limit = maxCalls - this.underWay.size;
      try {
        if (limit > 0) {
          for (const claim of await this.store.bookingChanges.claim({
            bookingSystems: names,
            limit,
            leaseMs,
          }))
            this.begin(claim);
        }
      } catch (error) {
        if (!this.signal.aborted) this.log.error({ err: error }, 'asking for changed bookings failed');
      }
      await this.sleep(pollMs);
    }
    await Promise.all(this.underWay);
  }
}

import { isBookingSystemError } from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import { type RefreshPosition, type RefreshRequest, refreshWaitMs } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { BackgroundLoop } from '../background-loop.ts';
import { Log, Store } from '../given.ts';
import { BookingReader } from '../reading/booking-reader.ts';
import { BookingSources } from '../reading/booking-sources.ts';
import { heldBackFor } from '../reading/read-breaker.ts';

/** An installation whose bookings are read again. */
interface RefreshSource {
  readonly pool: string;
  readonly bookingSystem: string;
}

/** The refreshes in progress, and the failing booking systems. */
interface RefreshLoad {
  /** One entry for each running read. */
  readonly underWay: readonly RefreshSource[];
  /** The installations whose last read failed; those that are held get no reads. */
  readonly failing: readonly (RefreshSource & { readonly isHeld: boolean })[];
}

/** The number of refreshes that may start. */
interface RefreshShares {
  readonly limit: number;
  /** The maximum for each installation that is not listed. */
  readonly perInstallation: number;
  readonly listed: readonly (RefreshSource & { readonly free: number })[];
}

export const maxReads = 16;
export const maxReadsPerInstallation = 2;
// Failing reads usually wait for a timeout: this few cannot block the others.
export const maxFailingReads = 4;

const keyOf = ({ pool, bookingSystem }: RefreshSource) => JSON.stringify([pool, bookingSystem]);

/**
 * The number of reads to start, by installation: a total limit, two per installation, one per failing installation, and
 * few for all failing ones together.
 */
export function refreshShares({ underWay, failing }: RefreshLoad): RefreshShares {
  const failingKeys = new Set(failing.map(keyOf));
  const counts = new Map<string, number>();
  for (const source of underWay) counts.set(keyOf(source), (counts.get(keyOf(source)) ?? 0) + 1);
  let failingFree = maxFailingReads - underWay.filter((source) => failingKeys.has(keyOf(source))).length;
  const listed: (RefreshSource & { readonly free: number })[] = [];
  for (const { pool, bookingSystem, isHeld } of failing) {
    const isFree = !isHeld && failingFree > 0 && !counts.has(keyOf({ pool, bookingSystem }));
    if (isFree) failingFree -= 1;
    listed.push({ pool, bookingSystem, free: isFree ? 1 : 0 });
  }
  const busy = new Map(underWay.map((source) => [keyOf(source), source]));
  for (const [key, { pool, bookingSystem }] of busy) {
    if (failingKeys.has(key)) continue;
    listed.push({
      pool,
      bookingSystem,
      free: Math.max(0, maxReadsPerInstallation - (counts.get(key) ?? 0)),
    });
  }
  return {
    limit: Math.max(0, maxReads - underWay.length),
    perInstallation: maxReadsPerInstallation,
    listed,
  };
}

const pollMs = 2_000;
const leaseMs = 60_000;

// Retrying does not bring back a deleted booking or installation.
const isFinal = (error: unknown) =>
  error instanceof HttpProblem || (isBookingSystemError(error) && !error.retryable);

const isGone = (error: unknown) => isBookingSystemError(error) && error.code === 'booking_not_found';

/**
 * Rereads bookings in the background; several processes share the work. Each installation has its share of
 * the reads, so that a booking system that does not respond delays only its own bookings.
 */
@injectable()
export class BookingRefresh extends BackgroundLoop {
  private readonly underWay = new Map<RefreshRequest, Promise<void>>();

  constructor(
    @inject(Store) private readonly store: Store,
    @inject(Log) private readonly log: Log,
    @inject(BookingSources) private readonly bookingSources: BookingSources,
    @inject(BookingReader) private readonly bookingReader: BookingReader,
  ) {
    super();
  }

  private async read(request: RefreshRequest): Promise<void> {
    const { pool, bookingSystem, bookingId, attempts } = request;
    try {
      await this.bookingReader.readNow({
        pool,
        bookingSystem,
        bookingId,
        signal: this.signal,
        afterChange: true,
      });
      await this.store.bookings.finishRefresh(request, { outcome: 'done' });
    } catch (error) {
      // Its lease expires, and another process takes it.
      if (this.signal.aborted) return;
      const heldBackMs = heldBackFor(error);
      if (heldBackMs !== undefined) {
        return this.store.bookings.finishRefresh(request, {
          outcome: 'postponed',
          waitMs: Math.ceil(heldBackMs),
        });
      }
      this.log.info({ err: error, pool, bookingSystem, attempts }, 'a booking could not be read again');
      if (isGone(error)) await this.store.unmatchedWaivers.noteGone({ pool, bookingSystem, bookingId });
      await this.store.bookings.finishRefresh(
        request,
        isFinal(error) ? { outcome: 'done' } : { outcome: 'failed', waitMs: refreshWaitMs(attempts) },
      );
    }
  }

  private begin(request: RefreshRequest): void {
    const reading = this.read(request)
      .catch((error: unknown) => {
        if (!this.signal.aborted)
          this.log.error({ err: error }, 'the outcome of reading a booking again could not be stored');
      })
      .finally(() => {
        this.underWay.delete(request);
        this.wake();
      });
    this.underWay.set(request, reading);
  }

  protected async run(): Promise<void> {
    let after: RefreshPosition | undefined;
    while (!this.signal.aborted) {
      const shares = refreshShares({
        underWay: [...this.underWay.keys()],
        failing: this.bookingSources.failing(),
      });
      let isAllSeen = true;
      if (shares.limit > 0) {
        try {
          const claimed = await this.store.bookings.claimRefreshes({ ...shares, leaseMs, after });
          for (const request of claimed.requests) this.begin(request);
          ({ after } = claimed);
          isAllSeen = after === undefined;
        } catch (error) {
          if (!this.signal.aborted) this.log.error({ err: error }, 'reading changed bookings again failed');
        }
      }
      if (isAllSeen || this.underWay.size > 0) await this.sleep(pollMs);
    }
    await Promise.all(this.underWay.values());
  }
}

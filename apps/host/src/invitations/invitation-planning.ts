import { isBookingSystemError } from '@waiver-service/core';
import { inject, injectable } from 'inversify';
import { BackgroundLoop } from '../background/background-loop.ts';
import { BookingReader } from '../booking-reading/booking-reader.ts';
import { BookingLister } from '../booking-reading/list-bookings.ts';
import { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import { Log, Store } from '../given.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { HostSettings } from '../settings/host-settings.ts';
import { horizonMs } from './occasions.ts';
import { planPool } from './plan-pool.ts';
import { contentOf } from './settings.ts';

const pollMs = 2_000;
/** Between two passes over a pool's bookings. */
const passEveryMs = 60_000;
const leaseMs = 10 * 60_000;
// Concurrent pools of this process: each may wait for a booking system.
const maxPools = 4;

/** Between two lists of a booking system's bookings of the coming days. */
const listEveryMs = 30 * 60_000;
const listedAtOnce = 100;
/** More in one round would use up most of a booking system's rate limit. */
const maxListedPages = 20;

/** Plans messages to guests in the background; several processes share the pools. */
@injectable()
export class InvitationPlanning extends BackgroundLoop {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    @inject(HostSettings) private readonly settings: HostSettings,
    @inject(Store) readonly store: Store,
    @inject(Log) private readonly log: Log,
    @inject(BookingSystemResolver) private readonly bookingSystems: BookingSystemResolver,
    @inject(BookingReader) readonly bookingReader: BookingReader,
    @inject(BookingLister) private readonly bookingLister: BookingLister,
  ) {
    super();
  }

  /** Lists a booking system's bookings of the coming days, to discover those that were never read. */
  private async list(pool: string, bookingSystem: string, until: Date): Promise<void> {
    const setup = await this.store.pools.setup(pool);
    if (setup === undefined) return;
    const query = { setup, bookingSystem, from: new Date(), until, limit: listedAtOnce, signal: this.signal };
    let cursor: string | undefined;
    for (let page = 0; page < maxListedPages; page += 1) {
      const { next } = await this.bookingLister.list(cursor === undefined ? query : { ...query, cursor });
      if (next === null) return;
      cursor = next;
    }
  }

  private async listComingDays(pool: string): Promise<void> {
    const [setup, settings] = await Promise.all([
      this.store.pools.setup(pool),
      this.store.invitations.settings(pool),
    ]);
    const until = new Date(Date.now() + horizonMs(contentOf(settings?.content).occasions));
    for (const bookingSystem of setup?.bookingSystems ?? []) {
      const lists = this.bookingSystems
        .manifests()
        .some(
          ({ installName, capabilities }) => installName === bookingSystem && capabilities.lists === true,
        );
      if (!lists || !(await this.store.invitations.claimListing({ pool, bookingSystem }, listEveryMs)))
        continue;
      try {
        await this.list(pool, bookingSystem, until);
      } catch (error) {
        this.signal.throwIfAborted();
        // It is down or asks for fewer requests: the next round retries. What was read so far is planned.
        if (!isBookingSystemError(error) && !(error instanceof HttpProblem)) throw error;
        this.log.info(
          { err: error, pool, bookingSystem },
          'the bookings of the coming days could not be listed',
        );
      }
    }
  }

  private async work(pool: string): Promise<void> {
    let waitMs = passEveryMs;
    try {
      await this.listComingDays(pool);
      if (await planPool(this, pool, { now: new Date(), signal: this.signal })) waitMs = 0;
    } catch (error) {
      // Its lease expires, and another process takes it.
      if (this.signal.aborted) return;
      this.log.error({ err: error, pool }, 'messages to guests could not be planned; it is tried again');
    }
    await this.store.invitations.finishPool(pool, waitMs);
  }

  private begin(pool: string): void {
    const working: Promise<void> = this.work(pool)
      .catch((error: unknown) => {
        if (!this.signal.aborted) this.log.error({ err: error, pool }, 'planning messages to guests failed');
      })
      .finally(() => {
        this.underWay.delete(working);
        this.wake();
      });
    this.underWay.add(working);
  }

  protected async run(): Promise<void> {
    while (!this.signal.aborted && this.settings.mail !== undefined) {
      const limit = maxPools - this.underWay.size;
      try {
        if (limit > 0)
          for (const pool of await this.store.invitations.claimPools({ limit, leaseMs })) this.begin(pool);
      } catch (error) {
        if (!this.signal.aborted) this.log.error({ err: error }, 'looking for messages to plan failed');
      }
      await this.sleep(pollMs);
    }
    await Promise.all(this.underWay);
  }
}

import { isBookingSystemError } from '@waiver-service/core';
import { type BackgroundWork, createBackgroundLoop } from '../background/background-loop.ts';
import type { HostServices } from '../container/tokens.ts';
import { HttpProblem } from '../http/http-problem.ts';
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

type Services = Pick<
  HostServices,
  'store' | 'bookingReader' | 'bookingLister' | 'bookingSystems' | 'settings' | 'log'
>;

/** Creates the background planning of messages to guests of this process; several processes share the pools. */
export function createInvitationPlanning(services: Services): BackgroundWork {
  const { store, bookingLister, bookingSystems, settings: hostSettings, log } = services;
  const { invitations } = store;
  const loop = createBackgroundLoop(run);
  const { signal } = loop;
  const underWay = new Set<Promise<void>>();

  /** Lists a booking system's bookings of the coming days, to discover those that were never read. */
  async function list(pool: string, bookingSystem: string, until: Date): Promise<void> {
    const setup = await store.pools.setup(pool);
    if (setup === undefined) return;
    const query = { setup, bookingSystem, from: new Date(), until, limit: listedAtOnce, signal };
    let cursor: string | undefined;
    for (let page = 0; page < maxListedPages; page += 1) {
      const { next } = await bookingLister.list(cursor === undefined ? query : { ...query, cursor });
      if (next === null) return;
      cursor = next;
    }
  }

  async function listComingDays(pool: string): Promise<void> {
    const [setup, settings] = await Promise.all([store.pools.setup(pool), invitations.settings(pool)]);
    const until = new Date(Date.now() + horizonMs(contentOf(settings?.content).occasions));
    for (const bookingSystem of setup?.bookingSystems ?? []) {
      const lists = bookingSystems
        .manifests()
        .some(
          ({ installName, capabilities }) => installName === bookingSystem && capabilities.lists === true,
        );
      if (!lists || !(await invitations.claimListing({ pool, bookingSystem }, listEveryMs))) continue;
      try {
        await list(pool, bookingSystem, until);
      } catch (error) {
        signal.throwIfAborted();
        // It is down or asks for fewer requests: the next round retries. What was read so far is planned.
        if (!isBookingSystemError(error) && !(error instanceof HttpProblem)) throw error;
        log.info({ err: error, pool, bookingSystem }, 'the bookings of the coming days could not be listed');
      }
    }
  }

  async function work(pool: string): Promise<void> {
    let waitMs = passEveryMs;
    try {
      await listComingDays(pool);
      if (await planPool(services, pool, { now: new Date(), signal })) waitMs = 0;
    } catch (error) {
      // Its lease expires, and another process takes it.
      if (signal.aborted) return;
      log.error({ err: error, pool }, 'messages to guests could not be planned; it is tried again');
    }
    await invitations.finishPool(pool, waitMs);
  }

  function begin(pool: string): void {
    const working: Promise<void> = work(pool)
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error, pool }, 'planning messages to guests failed');
      })
      .finally(() => {
        underWay.delete(working);
        loop.wake();
      });
    underWay.add(working);
  }

  async function run(): Promise<void> {
    while (!signal.aborted && hostSettings.mail !== undefined) {
      const limit = maxPools - underWay.size;
      try {
        if (limit > 0) for (const pool of await invitations.claimPools({ limit, leaseMs })) begin(pool);
      } catch (error) {
        if (!signal.aborted) log.error({ err: error }, 'looking for messages to plan failed');
      }
      await loop.sleep(pollMs);
    }
    await Promise.all(underWay);
  }

  return loop;
}

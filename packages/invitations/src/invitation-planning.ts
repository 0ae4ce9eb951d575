import { Mailer } from '@waiver-service/alerts';
import type { Pool } from '@waiver-service/api';
import { isBookingSystemError } from '@waiver-service/core';
import { HttpProblem } from '@waiver-service/http';
import {
  BackgroundLoop,
  BookingLister,
  BookingReader,
  BookingSystemResolver,
  Log,
} from '@waiver-service/integration';
import type { UpcomingPosition } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { PlannableBooking } from './data/invitation-plans.ts';
import { InvitationStore } from './data/invitation-store.ts';
import { type DueOccasion, dueOccasion, horizonMs, quietUntil } from './occasions.ts';
import { type InvitedServices, readInvited } from './recipients.ts';
import { contentOf, type InvitationContent } from './settings.ts';

const pageSize = 500;
/** The maximum number of bookings that one pass plans; the next pass continues. */
const maxPlanned = 100;
/** How long a booking without a form waits, unless it is reread sooner. */
const noFormWaitMs = 3_600_000;

/** The author of planned messages, in their log. */
const createdBy = 'invitations';

/** The time and the settings of a pass. */
interface Pass {
  readonly pool: Pool;
  readonly content: InvitationContent;
  readonly now: Date;
  /** When the quiet hours end; undefined outside them. */
  readonly quietEnd: Date | undefined;
  readonly signal: AbortSignal;
}

const isSameTime = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime();

/** Whether an occasion was planned from what is now known about the booking. */
export function isPlanned(
  { fetchedAt, plan }: Pick<PlannableBooking, 'fetchedAt' | 'plan'>,
  due: DueOccasion,
  now: Date,
): boolean {
  if (plan === null || plan.occasion !== due.occasion || plan.day !== due.day) return false;
  // A booking that was read since may have new guests. A missing stored answer proves nothing.
  if (fetchedAt !== null && !isSameTime(fetchedAt, plan.fetchedAt)) return false;
  return plan.retryAt === null || now < plan.retryAt;
}

async function planBooking(
  services: InvitedServices,
  booking: PlannableBooking,
  due: DueOccasion,
  { pool, content, now, quietEnd, signal }: Pass,
): Promise<void> {
  const { invitations } = services.store;
  const { bookingSystem, bookingId } = booking;
  const key = { pool: pool.id, bookingSystem, bookingId };
  const noRecipients = { recipients: [], createdBy };
  if (quietEnd !== undefined) {
    const plan = { ...key, ...due, fetchedAt: booking.fetchedAt, retryAt: quietEnd };
    await invitations.plan({ ...plan, problem: 'quiet-hours' }, noRecipients);
    return;
  }
  const invited = await readInvited(services, { ...key, now, signal });
  if (invited.kind === 'unread') {
    const retryAt = new Date(now.getTime() + invited.waitMs);
    await invitations.plan(
      { ...key, ...due, fetchedAt: booking.fetchedAt, retryAt, problem: 'unread' },
      noRecipients,
    );
    return;
  }
  const { fetchedAt } = invited;
  if (invited.kind === 'closed') {
    const isNoForm = invited.reason === 'no-form';
    const retryAt = isNoForm ? new Date(now.getTime() + noFormWaitMs) : null;
    const problem = isNoForm ? 'no-form' : null;
    await invitations.plan({ ...key, ...due, fetchedAt, retryAt, problem }, noRecipients);
    return;
  }
  // The booking may have been moved; then the next pass lists it at its new time.
  const { occasions } = content;
  const current = dueOccasion(now, invited.startsAt, { occasions, timeZone: pool.timeZone });
  if (current === undefined) return;
  const problem = invited.unreachable > 0 ? 'no-address' : null;
  const recipients = invited.recipients.map(({ email, guests }) => ({ email, guests }));
  await invitations.plan(
    { ...key, ...current, fetchedAt, retryAt: null, problem },
    { recipients, createdBy },
  );
}

/**
 * Plans the due messages of a pool: for each booking of the coming days, the latest occasion whose time has come, once
 * for each address. Skips what was already planned from what is now known.
 *
 * @returns whether there may be more to plan now
 */
export async function planPool(
  services: InvitedServices,
  id: string,
  { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
): Promise<boolean> {
  const { store } = services;
  const [pool, settings, hasForm] = await Promise.all([
    store.pools.get(id),
    store.invitations.settings(id),
    store.forms.hasPublished(id),
  ]);
  if (pool === undefined || settings?.enabled !== true || !hasForm) return false;
  const content = contentOf(settings.content);
  const { occasions } = content;
  const { timeZone } = pool;
  const period = { pool: id, from: now, until: new Date(now.getTime() + horizonMs(occasions)) };
  const quietEnd = quietUntil(now, content.quietHours, timeZone);
  const pass: Pass = { pool, content, now, quietEnd, signal };
  let after: UpcomingPosition | undefined;
  let planned = 0;
  for (;;) {
    const bookings = await store.invitations.listPlannable({ ...period, after, limit: pageSize });
    for (const booking of bookings) {
      signal.throwIfAborted();
      const due = dueOccasion(now, booking.firstStartsAt, { occasions, timeZone });
      if (due === undefined || isPlanned(booking, due, now)) continue;
      // Planned after the quiet hours, unless the visit begins before they end.
      if (quietEnd !== undefined && quietEnd < booking.firstStartsAt) continue;
      if (planned === maxPlanned) return true;
      planned += 1;
      await planBooking(services, booking, due, pass);
    }
    after = bookings.at(-1);
    if (after === undefined || bookings.length < pageSize) return false;
  }
}

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
    @inject(Mailer) private readonly mailer: Mailer | undefined,
    @inject(InvitationStore) readonly store: InvitationStore,
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
    while (!this.signal.aborted && this.mailer !== undefined) {
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

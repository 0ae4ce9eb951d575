import type { Withdrawal } from '../outbox/withdrawals.ts';
import type { Page } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import { areAnswersTooLarge } from './answers-size.ts';
import { createChangeWaiver } from './change-waiver.ts';
import { type CreateOutcome, createWaiver } from './create-waiver.ts';
import { type DeliveryState, deliveriesOf } from './deliveries-of.ts';
import { listWaivers, type WaiverListRequest } from './list-waivers.ts';
import { applyChange, needsSessions, nextState, voidedState } from './next-state.ts';
import { readSessions } from './read-pool.ts';
import { readWaiver } from './read-waiver.ts';
import type { NewWaiver, WaiverChange, WaiverRecord } from './waiver-record.ts';
import { withoutSource } from './waiver-row.ts';
import { type BookingWaiver, createWaiversOfBooking } from './waivers-of-booking.ts';
import type { Written } from './write-waivers.ts';

/** What came of a change of a record. */
export type UpdateOutcome =
  | { readonly outcome: 'updated'; readonly record: WaiverRecord }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'voided' }
  | { readonly outcome: 'answers-too-large' };

/** What came of voiding a record. */
export type VoidOutcome =
  | { readonly outcome: 'voided' | 'already-voided'; readonly record: WaiverRecord }
  | { readonly outcome: 'not-found' };

/** The waivers. A change and everything that it sends are stored in one transaction; no partner is waited for. */
export interface Waivers {
  create(waiver: NewWaiver): Promise<CreateOutcome>;
  /** Every update is a stored change, also one that changes no value: each step of a multi-step waiver is sent. */
  update(pool: string, id: string, change: WaiverChange): Promise<UpdateOutcome>;
  /** Final: nothing follows. */
  void(pool: string, id: string): Promise<VoidOutcome>;
  get(pool: string, id: string): Promise<WaiverRecord | undefined>;
  deliveriesOf(pool: string, id: string): Promise<DeliveryState[]>;
  /** By updatedAt, then id. @throws MalformedCursor */
  list(pool: string, request: WaiverListRequest): Promise<Page<WaiverRecord>>;
  /** The waivers of a booking that are not voided, oldest change first, at most a thousand. */
  forBooking(pool: string, bookingSystem: string, bookingId: string): Promise<BookingWaiver[]>;
}

/** Resolves when what is being kept of a booking is kept. */
type UntilKept = (booking: { pool: string; bookingSystem: string; bookingId: string }) => Promise<void>;

/**
 * Makes the part of the store that holds waivers.
 *
 * @param onEnqueued told after something that is to be sent was committed.
 * @param onChanged told after a record was changed.
 * @param untilKept awaited before the booking's sessions are looked for.
 * @param onWithdrawn told after something was committed that what is claimed may no longer hold.
 */
export function createWaivers(
  { database }: StoreContext,
  onEnqueued: () => void,
  untilKept: UntilKept,
  onChanged: () => void,
  onWithdrawn: (withdrawal: Withdrawal) => void,
): Waivers {
  const onWritten = ({ changed, enqueued }: Written) => {
    if (changed.length > 0) onChanged();
    if (enqueued > 0) onEnqueued();
  };
  const changeWaiver = createChangeWaiver<'voided' | 'answers-too-large'>(database, onWritten, (waiverId) =>
    onWithdrawn({ waiverId }),
  );
  const forBooking = createWaiversOfBooking(database);
  return {
    async create(waiver) {
      const { pool, bookingSystem, bookingId } = waiver;
      if (bookingSystem !== null && bookingId !== null) await untilKept({ pool, bookingSystem, bookingId });
      return createWaiver(database, waiver, onWritten);
    },
    async update(pool, id, change) {
      const { bookingSystem, bookingId } = change;
      if (bookingSystem && bookingId) await untilKept({ pool, bookingSystem, bookingId });
      const result = await changeWaiver({
        pool,
        id,
        removesAnswers: Object.values(change.answers ?? {}).includes(null),
        async step(former, now, handle) {
          if (former.deleted) return { refusal: 'voided' };
          const changed = applyChange(former, change);
          if (change.answers !== undefined && areAnswersTooLarge(changed.answers, former.answers)) {
            return { refusal: 'answers-too-large' };
          }
          const sessions = needsSessions(former, changed) ? await readSessions(handle, changed) : undefined;
          return nextState(former, changed, sessions, now);
        },
      });
      if (result.outcome === 'not-found') return result;
      if (result.outcome === 'refused') return { outcome: result.refusal };
      return { outcome: 'updated', record: result.record };
    },
    async void(pool, id) {
      const result = await changeWaiver({
        pool,
        id,
        async step(former, now) {
          if (former.deleted) return { refusal: 'voided' };
          return { next: voidedState(former, now), takeback: undefined };
        },
      });
      if (result.outcome === 'not-found') return result;
      return { outcome: result.outcome === 'refused' ? 'already-voided' : 'voided', record: result.record };
    },
    async get(pool, id) {
      const state = await readWaiver(database, pool, id);
      return state && withoutSource(state);
    },
    deliveriesOf: (pool, id) => deliveriesOf(database, pool, id),
    list: (pool, request) => listWaivers(database, pool, request),
    forBooking: (pool, bookingSystem, bookingId) => forBooking({ pool, bookingSystem, bookingId }),
  };
}

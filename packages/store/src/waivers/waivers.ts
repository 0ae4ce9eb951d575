import {
  type BookingKey,
  bookingOf,
  draftUpdate,
  draftVoid,
  type NewWaiver,
  type WaiverChange,
  type WaiverRecord,
} from '@waiver-service/waivers';
import type { Withdrawal } from '../outbox/withdrawals.ts';
import type { Page } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import { createChangeWaiver } from './change-waivers.ts';
import { type CreateOutcome, createCreateWaiver } from './create-waivers.ts';
import { type DeliveryState, deliveriesOf } from './deliveries-of.ts';
import { listWaivers, type WaiverListRequest } from './list-waivers.ts';
import { readWaiver } from './read-waivers.ts';
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
  const createWaiver = createCreateWaiver(database, onWritten);
  const changeWaiver = createChangeWaiver(database, {
    onWritten,
    onWithdrawn: (waiverId) => onWithdrawn({ waiverId }),
  });
  const forBooking = createWaiversOfBooking(database);
  const untilSaved = async (booking: BookingKey | undefined) => {
    if (booking !== undefined) await untilKept(booking);
  };
  return {
    async create(waiver) {
      await untilSaved(bookingOf(waiver));
      return createWaiver(waiver);
    },
    async update(pool, id, change) {
      await untilSaved(bookingOf({ ...change, pool }));
      const result = await changeWaiver({
        pool,
        id,
        removesAnswers: Object.values(change.answers ?? {}).includes(null),
        draft: (former) => draftUpdate(former, change),
      });
      if (result.outcome === 'not-found') return result;
      if (result.outcome === 'refused') return { outcome: result.refusal };
      return { outcome: 'updated', record: result.record };
    },
    async void(pool, id) {
      const result = await changeWaiver({ pool, id, draft: draftVoid });
      if (result.outcome === 'not-found') return result;
      return { outcome: result.outcome === 'refused' ? 'already-voided' : 'voided', record: result.record };
    },
    get: (pool, id) => readWaiver(database, pool, id),
    deliveriesOf: (pool, id) => deliveriesOf(database, pool, id),
    list: (pool, request) => listWaivers(database, pool, request),
    forBooking: (pool, bookingSystem, bookingId) => forBooking({ pool, bookingSystem, bookingId }),
  };
}

import type { WaiverDelivery, WaiverVersion } from '@waiver-service/api';
import type { Page, PageRequest, RowOf } from '@waiver-service/database';
import { omitNulls, readList } from '@waiver-service/database';
import {
  attemptsUsed,
  dispatchWithdrawal,
  isSending,
  shownState,
  stateOfDelivery,
} from '@waiver-service/outbox';
import {
  type Actor,
  type BookingKey,
  draftUpdate,
  draftVoid,
  type MissingReference,
  type NewWaiver,
  type WaiverChange,
  type WaiverRecord,
} from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import { type ChangeParts, createChangeWaiver } from './change-waivers.ts';
import { type CreateOutcome, createCreateWaiver } from './create-waivers.ts';
import { listWaivers, versionsOf, type WaiverListRequest } from './list-waivers.ts';
import { searchWaivers, type WaiverSearchRequest } from './search-waivers.ts';
import { readWaiver } from './waiver-rows.ts';
import {
  type AttachOutcome,
  type AttachRequest,
  attachWaivers,
  type BookingWaiver,
  createWaiversOfBooking,
} from './waivers-of-booking.ts';

/** The deliveries of a record, newest version first; at most the last hundred. */
async function deliveriesOf(database: Database, pool: string, id: string): Promise<WaiverDelivery[]> {
  const { rows } = await sql<RowOf<WaiverDelivery>>`
select d.id, d.kind, ${shownState} as state, d.destination, d.version, d.booking_id, ${attemptsUsed} as attempts,
  case when (p.retrying or p.faults > 0) and not ${isSending} and t.status <> 'closed'
    then greatest(p.due_at, t.held_until, t.unauthorized_until) end as next_attempt_at,
  (select a.error_code from attempt a where a.delivery = d.id order by a.at desc limit 1) as last_error_code
from delivery d ${stateOfDelivery}
where d.pool = ${pool} and d.waiver_id = ${id}
order by d.version desc, d.destination limit 100`.execute(database);
  return rows.map((row) => omitNulls(row, 'bookingId', 'nextAttemptAt', 'lastErrorCode'));
}

export type UpdateOutcome =
  | { readonly outcome: 'updated'; readonly record: WaiverRecord }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'voided' }
  | { readonly outcome: 'answers-too-large' };

export type VoidOutcome =
  | { readonly outcome: 'voided' | 'already-voided'; readonly record: WaiverRecord }
  | { readonly outcome: 'not-found' };

/** Where an update comes from. */
export interface ChangeOrigin {
  readonly by?: Actor | undefined;
  /** `guest` or `booking`, if the booking system no longer knows the previous one. */
  readonly missing?: MissingReference | undefined;
}

/** Waivers. A change and its messages are stored in one transaction, without waiting for any partner. */
export interface Waivers {
  /** @param by - its author, stored with the version, as for every change */
  create(waiver: NewWaiver, by?: Actor): Promise<CreateOutcome>;
  /** Every update is a stored change, even if it changes no value: each step of a multi-step waiver is sent. */
  update(pool: string, id: string, change: WaiverChange, origin?: ChangeOrigin): Promise<UpdateOutcome>;
  /** Final: the waiver can no longer be changed. */
  void(pool: string, id: string, by?: Actor): Promise<VoidOutcome>;
  /** Attaches waivers to a booking, all of them or none. */
  attach<Refusal>(request: AttachRequest<Refusal>): Promise<AttachOutcome<Refusal>>;
  get(pool: string, id: string): Promise<WaiverRecord | undefined>;
  /** Whether a record is or is being erased. */
  isErased(pool: string, id: string): Promise<boolean>;
  deliveriesOf(pool: string, id: string): Promise<WaiverDelivery[]>;
  /** Newest first, except those stored by builds that did not record versions. @throws MalformedCursor */
  versionsOf(pool: string, id: string, page: PageRequest): Promise<Page<WaiverVersion>>;
  /** By updatedAt, then id. @throws MalformedCursor, ListTooSlow */
  list(pool: string, request: WaiverListRequest): Promise<Page<WaiverRecord>>;
  /** Finds records by id, booking, name or e-mail address. @throws MalformedCursor, ListTooSlow */
  search(pool: string, request: WaiverSearchRequest): Promise<Page<WaiverRecord>>;
  /** The waivers of a booking that are not voided, least recently changed first; at most a thousand. */
  forBooking(booking: BookingKey): Promise<BookingWaiver[]>;
}

/** Announces committed changes to this process and the other hosts. */
export function announceChanges({ hashEmail, notifications }: StoreContext): ChangeParts {
  return {
    hashEmail,
    onWritten({ changed, enqueued }) {
      if (changed.length > 0) notifications.announce('changes');
      if (enqueued > 0) notifications.announce('outbox');
    },
    onWithdrawn: (waiverId) => dispatchWithdrawal(notifications, { waiverId }),
  };
}

export function createWaivers(context: StoreContext): Waivers {
  const { database, features } = context;
  const listeners = announceChanges(context);
  const { onWritten } = listeners;
  const changeWaiver = createChangeWaiver(database, listeners);
  return {
    create: createCreateWaiver(database, onWritten),
    async update(pool, id, change, { missing, by } = {}) {
      const result = await changeWaiver({
        pool,
        id,
        removesAnswers: Object.values(change.answers ?? {}).includes(null),
        draft: (former) => draftUpdate(former, change, missing),
        by,
      });
      if (result.outcome === 'not-found') return result;
      if (result.outcome === 'refused') return { outcome: result.refusal };
      return { outcome: 'updated', record: result.record };
    },
    async void(pool, id, by) {
      const result = await changeWaiver({ pool, id, draft: draftVoid, by });
      if (result.outcome === 'not-found') return result;
      for (const { onVoided } of features) await onVoided?.(context, result.record);
      return { outcome: result.outcome === 'refused' ? 'already-voided' : 'voided', record: result.record };
    },
    attach: (request) => attachWaivers(database, request, listeners),
    get: (pool, id) => readWaiver(database, pool, id),
    async isErased(pool, id) {
      const { rows } = await sql`
select from waiver where pool = ${pool} and id = ${id} and erasure is not null`.execute(database);
      return rows.length > 0;
    },
    deliveriesOf: (pool, id) => deliveriesOf(database, pool, id),
    versionsOf: (pool, id, request) => versionsOf(database, pool, id, request),
    list: (pool, request) => readList(database, (limited) => listWaivers(limited, pool, request)),
    search: (pool, request) => readList(database, (limited) => searchWaivers(limited, pool, request)),
    forBooking: createWaiversOfBooking(database),
  };
}

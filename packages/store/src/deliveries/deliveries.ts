import { sql } from 'kysely';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import type { ChangeAnnouncer } from '../events/index.ts';
import { isUuid } from '../pages/ids-of-times.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import type { DeliveryFilter } from './delivery-filter.ts';
import type { DeliveryDetail, DeliveryItem } from './delivery-item.ts';
import { type DeliveryLane, readLane } from './delivery-lane.ts';
import { getDelivery } from './get-delivery.ts';
import { listDeliveries } from './list-deliveries.ts';
import { beginRecovery, getRecovery, type RecoverOutcome } from './recoveries.ts';
import type { RecoverRequest, Recovery } from './recovery.ts';
import { reopenDeliveries } from './reopen-deliveries.ts';

/** The result of a retry: names the delivery that is sent, which is the newest one of its waiver. */
export type RetryOutcome = { readonly deliveryId: string } | { readonly outcome: 'destination-gone' };

/** Deliveries, as operators see them. */
export interface Deliveries {
  /** Newest first. @throws MalformedCursor */
  list(filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryItem>>;
  get(id: string): Promise<DeliveryDetail | undefined>;
  /** The deliveries that are sent before and after one. */
  lane(id: string): Promise<DeliveryLane | undefined>;
  /** The pool of a delivery, which never changes. */
  poolOf(id: string): Promise<string | undefined>;
  /** Retries a delivery at once; a waiting one becomes due. `undefined` if there is no such delivery. */
  retry(id: string): Promise<RetryOutcome | undefined>;
  /** Starts a recovery: retries a first batch at once, the rest in the background on any host. */
  recover(request: RecoverRequest): Promise<RecoverOutcome>;
  /** The progress of a recovery; undefined if it is unknown or ended long ago. */
  recovery(id: string): Promise<Recovery | undefined>;
}

/** Called after commits. */
export interface DeliveriesListeners {
  /** There are messages to send. */
  readonly onEnqueued: () => void;
  /** A recovery was started. */
  readonly onRecovery: () => void;
  readonly announcer: ChangeAnnouncer;
}

/** Creates the part of the store for deliveries. */
export function createDeliveries(
  { database, onReplica }: StoreContext,
  { onEnqueued, onRecovery, announcer }: DeliveriesListeners,
): Deliveries {
  return {
    list: (filter, page) => onReplica((replica) => listDeliveries(replica, filter, page)),
    get: (id) => getDelivery(database, id),
    lane: (id) => readLane(database, id),
    async poolOf(id) {
      if (!isUuid(id)) return undefined;
      const { rows } = await sql<{ pool: string }>`select pool from delivery where id = ${id}::uuid`.execute(
        database,
      );
      return rows[0]?.pool;
    },
    async retry(id) {
      if (!isUuid(id)) return undefined;
      const [found] = await retryDeadlock(() => reopenDeliveries(database, [id]));
      if (found !== undefined) {
        onEnqueued();
        announcer.changed('delivery', [id, found.deliveryId]);
        return { deliveryId: found.deliveryId };
      }
      const { rows } = await sql`select from delivery where id = ${id}::uuid`.execute(database);
      return rows.length === 0 ? undefined : { outcome: 'destination-gone' };
    },
    async recover(request) {
      const result = await beginRecovery(database, request);
      onEnqueued();
      announcer.requestResync();
      onRecovery();
      return result;
    },
    recovery: (id) => getRecovery(database, id),
  };
}

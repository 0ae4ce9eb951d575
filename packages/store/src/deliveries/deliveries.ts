import type { DeliveryFilter, DeliveryItem, Lane, RecoverRequest } from '@waiver-service/api';
import type { Page, PageRequest } from '@waiver-service/database';
import { isUuid, readList, retryDeadlock } from '@waiver-service/database';
import type { StoreContext } from '../store-context.ts';
import type { StoredDelivery } from './delivery-item.ts';
import { readLane } from './delivery-lane.ts';
import { getDelivery } from './get-delivery.ts';
import { listDeliveries } from './list-deliveries.ts';
import { beginRecovery, getRecovery, type RecoverOutcome } from './recoveries.ts';
import type { LimitedRecovery } from './recovery.ts';
import { reopenDeliveries } from './reopen-deliveries.ts';

/** The result of a retry: `deliveryId` is the delivery that is sent, the newest of its waiver and destination. */
export type RetryOutcome = { readonly deliveryId: string } | { readonly outcome: 'destination-gone' };

/** Deliveries, as operators see them. @param onRecovery called after a recovery was started */
export function createDeliveries({ database, notifications }: StoreContext, onRecovery: () => void) {
  async function poolOf(id: string): Promise<string | undefined> {
    if (!isUuid(id)) return undefined;
    const row = await database.selectFrom('delivery').select('pool').where('id', '=', id).executeTakeFirst();
    return row?.pool;
  }

  return {
    /** The pool of a delivery, which never changes. */
    poolOf,
    /** Newest first. @throws MalformedCursor, ListTooSlow */
    list: (filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryItem>> =>
      readList(database, (limited) => listDeliveries(limited, filter, page)),
    get: (id: string): Promise<StoredDelivery | undefined> => getDelivery(database, id),
    /** The deliveries that are sent before and after a given one. */
    lane: (id: string): Promise<Lane | undefined> => readLane(database, id),
    /** Retries a delivery at once; a waiting one becomes due. `undefined` if there is no such delivery. */
    async retry(id: string): Promise<RetryOutcome | undefined> {
      const pool = await poolOf(id);
      if (pool === undefined) return undefined;
      const [found] = await retryDeadlock(() => reopenDeliveries(database, [id]));
      if (found === undefined) return { outcome: 'destination-gone' };
      notifications.announce('outbox');
      return { deliveryId: found.deliveryId };
    },
    /** Starts a recovery: retries a first batch at once, the rest in the background on any host. */
    async recover(request: RecoverRequest): Promise<RecoverOutcome> {
      const result = await beginRecovery(database, request);
      if ('outcome' in result) return result;
      notifications.announce('outbox');
      onRecovery();
      return result;
    },
    /** The progress of a recovery; undefined if it is unknown or ended long ago. */
    recovery: (id: string): Promise<LimitedRecovery | undefined> => getRecovery(database, id),
  };
}

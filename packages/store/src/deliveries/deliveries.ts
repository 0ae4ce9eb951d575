import { sql } from 'kysely';
import { retryDeadlock } from '../database/retry-deadlock.ts';
import type { Page, PageRequest } from '../pages/page.ts';
import type { StoreContext } from '../store-context.ts';
import { type DeliveryFilter, filterConditions, isDeliveryId, stateCondition } from './delivery-filter.ts';
import type { DeliveryDetail, DeliveryItem } from './delivery-item.ts';
import { getDelivery } from './get-delivery.ts';
import { listDeliveries } from './list-deliveries.ts';
import { reopenDeliveries } from './reopen-deliveries.ts';

/** Which deliveries are sent again. */
export interface RecoverRequest {
  readonly pool?: string | undefined;
  readonly destination?: string | undefined;
  /** Dead letters, where nothing else is said. */
  readonly state?: 'dead' | 'delivered' | 'superseded' | undefined;
  /** Made at this time or later. */
  readonly since: Date;
  /** Made before this time. */
  readonly until?: Date | undefined;
}

/** What came of asking for one delivery again: the one that goes out, which is the newest of its waiver. */
export type RetryOutcome = { readonly deliveryId: string } | { readonly outcome: 'destination-gone' };

/** What goes out, as operators see it. */
export interface Deliveries {
  /** Newest first. @throws MalformedCursor */
  list(filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryItem>>;
  get(id: string): Promise<DeliveryDetail | undefined>;
  /** Sends one again, now; of one that waits, the wait ends. `undefined`: there is no such delivery. */
  retry(id: string): Promise<RetryOutcome | undefined>;
  /** Sends many again. */
  recover(request: RecoverRequest): Promise<{ recovered: number }>;
}

const batch = 200;

/** Makes the part of the store that shows deliveries. */
export function createDeliveries({ database }: StoreContext, onEnqueued: () => void): Deliveries {
  const reopen = (ids: readonly string[]) => retryDeadlock(() => reopenDeliveries(database, ids));

  async function idsAfter(request: RecoverRequest, after: string): Promise<string[]> {
    const { state = 'dead', ...filter } = request;
    const { rows } = await sql<{ id: string }>`
select d.id from delivery d
where ${filterConditions(filter)} and ${stateCondition(state)} and d.id > ${after}::uuid
order by d.id limit ${batch}::integer`.execute(database);
    return rows.map(({ id }) => id);
  }

  return {
    list: (filter, page) => listDeliveries(database, filter, page),
    get: (id) => getDelivery(database, id),
    async retry(id) {
      if (!isDeliveryId(id)) return undefined;
      const [found] = await reopen([id]);
      if (found !== undefined) {
        onEnqueued();
        return { deliveryId: found.deliveryId };
      }
      const { rows } = await sql`select from delivery where id = ${id}::uuid`.execute(database);
      return rows.length === 0 ? undefined : { outcome: 'destination-gone' };
    },
    async recover(request) {
      const recovered = new Set<string>();
      let ids = await idsAfter(request, '00000000-0000-0000-0000-000000000000');
      while (ids.length > 0) {
        for (const { deliveryId, reopened } of await reopen(ids)) if (reopened) recovered.add(deliveryId);
        onEnqueued();
        const last = ids.at(-1);
        ids = last === undefined || ids.length < batch ? [] : await idsAfter(request, last);
      }
      return { recovered: recovered.size };
    },
  };
}

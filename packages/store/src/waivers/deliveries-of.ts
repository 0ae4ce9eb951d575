import type { DeliveryStateName } from '@waiver-service/api';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { attemptsUsed, isSending, shownState, stateOfDelivery } from '../outbox/delivery-state.ts';
import type { DestinationKind } from '../outbox/delivery-types.ts';

/** The state of a record's delivery. */
export interface DeliveryState {
  readonly id: string;
  readonly kind: DestinationKind;
  readonly state: DeliveryStateName;
  readonly destination: string;
  readonly version: number;
  readonly bookingId?: string;
  /** Attempts used. */
  readonly attempts: number;
  /** Only if it was attempted before and waits for its next attempt. */
  readonly nextAttemptAt?: Date;
  readonly lastErrorCode?: string;
}

interface Row extends Omit<DeliveryState, 'bookingId' | 'nextAttemptAt' | 'lastErrorCode'> {
  readonly bookingId: string | null;
  readonly nextAttemptAt: Date | null;
  readonly lastErrorCode: string | null;
}

/** The deliveries of a record, newest version first; at most the last hundred. */
export async function deliveriesOf(database: Database, pool: string, id: string): Promise<DeliveryState[]> {
  const { rows } = await sql<Row>`
select d.id, d.kind, ${shownState} as state, d.destination, d.version, d.booking_id, ${attemptsUsed} as attempts,
  case when (p.retrying or p.faults > 0) and not ${isSending} and t.status <> 'closed'
    then greatest(p.due_at, t.held_until, t.unauthorized_until) end as next_attempt_at,
  (select a.error_code from attempt a where a.delivery = d.id order by a.at desc limit 1) as last_error_code
from delivery d ${stateOfDelivery}
where d.pool = ${pool} and d.waiver_id = ${id}
order by d.version desc, d.destination limit 100`.execute(database);
  return rows.map(({ bookingId, nextAttemptAt, lastErrorCode, ...row }) => ({
    ...row,
    ...(bookingId === null ? {} : { bookingId }),
    ...(nextAttemptAt === null ? {} : { nextAttemptAt }),
    ...(lastErrorCode === null ? {} : { lastErrorCode }),
  }));
}

import type { AlertEvent, DeliveryStateName } from '@waiver-service/api';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { shownState, stateOfDelivery } from '../outbox/delivery-state.ts';
import { decodeUuidCursor, pageById } from '../pages/cursor.ts';
import type { Page, PageRequest } from '../pages/page.ts';

/** A sent alert. */
export interface SentAlert {
  /** The id of its delivery. */
  readonly id: string;
  /** The id of the alert. */
  readonly alert: string;
  readonly alertName: string;
  readonly event: AlertEvent;
  readonly at: Date;
  readonly pool: string | null;
  readonly destination: string | null;
  readonly message: string;
  /** How often the same happened before it without an alert. */
  readonly leftOut: number;
  readonly state: DeliveryStateName;
}

/** The sent alerts `s` of an alert `a` that meet a condition, newest first. @throws MalformedCursor */
export async function listSentAlerts(
  database: Database,
  { limit, cursor }: PageRequest,
  condition: RawBuilder<boolean>,
): Promise<Page<SentAlert>> {
  const before = decodeUuidCursor(cursor);
  const position = before === undefined ? sql`true` : sql`s.id < ${before}::uuid`;
  const { rows } = await sql<SentAlert>`
select s.id, s.alert, a.name as "alertName", s.event, s.at, s.pool, s.destination, s.message,
  s.left_out as "leftOut", ${shownState} as state
from sent_alert s join alert a on a.id = s.alert
join delivery d on d.id = s.id and d.pool = '' ${stateOfDelivery}
where ${position} and ${condition}
order by s.id desc limit ${limit + 1}::integer`.execute(database);
  return pageById(rows, limit);
}

import type { DeliveryDetail, DeliveryItem } from '@waiver-service/api';
import { omitNulls, type RowOf } from '@waiver-service/database';
import { shownState } from '@waiver-service/outbox';
import { type RawBuilder, sql } from 'kysely';
import { ownersOf } from '../destinations/destinations.ts';

/** One delivery as it is stored; for a waiting delivery, as the next attempt would send it. */
export interface StoredDelivery extends Omit<DeliveryDetail, 'body' | 'redacted'> {
  /** The JSON text that is sent. */
  readonly body: string;
}

// As JSON: PostgreSQL would fail the whole list for a name that it cannot hold as text.
const waiverOfDelivery = sql`from waiver g where g.pool = d.pool and g.id = d.waiver_id`;
const maxNameLength = 200;

/** A row of {@link itemColumns}. */
export interface ItemRow extends Omit<RowOf<DeliveryItem>, 'guestName'> {
  readonly guestNameJson: string | null;
}

/** The columns of an {@link ItemRow}, for a delivery `d` with {@link stateOfDelivery} joined. */
export const itemColumns: RawBuilder<ItemRow> = sql`
d.id, d.kind, ${shownState} as state, d.pool, d.destination, d.waiver_id, d.version,
d.created_at, ${ownersOf(sql`d.destination`)},
coalesce(d.booking_id, (select g.booking_id ${waiverOfDelivery})) as booking_id,
(select (g.answers::json -> 'name')::text ${waiverOfDelivery} and g.erasure is null) as guest_name_json`;

/** The delivery of a row. */
export function itemOfRow({ guestNameJson, ...row }: ItemRow): DeliveryItem {
  const name: unknown = guestNameJson === null ? null : JSON.parse(guestNameJson);
  return {
    ...omitNulls(row, 'bookingSystem', 'webhook', 'bookingId'),
    guestName: typeof name === 'string' && name !== '' ? name.slice(0, maxNameLength) : null,
  };
}

import type { DeliveryStateName } from '@waiver-service/api';
import type { Warning } from '@waiver-service/core';
import type { AttemptOutcome, AttemptTrigger, DestinationKind } from '@waiver-service/outbox';
import { shownState } from '@waiver-service/outbox';
import { type RawBuilder, sql } from 'kysely';
import { ownersOf } from '../destinations/destinations.ts';

/** One delivery of a list. */
export interface DeliveryItem {
  readonly id: string;
  readonly kind: DestinationKind;
  readonly state: DeliveryStateName;
  readonly pool: string;
  readonly destination: string;
  /** The install name, if its destination is an installation that still exists. */
  readonly bookingSystem: string | null;
  /** The webhook, if its destination is one that still exists. */
  readonly webhook: { readonly id: string; readonly url: string } | null;
  readonly waiverId: string;
  /** The guest's current name; null if it is not answered or was erased. */
  readonly guestName: string | null;
  /** For a Guest Update, its booking; otherwise the waiver's. */
  readonly bookingId: string | null;
  readonly version: number;
  readonly createdAt: Date;
}

/** One attempt. */
export interface AttemptItem {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status?: number;
  readonly errorCode?: string;
  /** The first 4 KiB of the response. */
  readonly response?: string;
  /** Parts of the waiver that were not written. */
  readonly warnings?: readonly Warning[];
  readonly trigger: AttemptTrigger;
}

/** One delivery with its body and its attempts. */
export interface DeliveryDetail extends DeliveryItem {
  /** The JSON text that is sent; for a waiting delivery, as the next attempt would send it. */
  readonly body: string;
  /** Why it ended without being sent, if the booking system has no place for any part of it. */
  readonly reason: string | null;
  /** When it is due, if it waits. A message before it in its lane may delay it. */
  readonly nextAttemptAt: Date | null;
  /** The warnings of the last attempt. */
  readonly warnings: readonly Warning[];
  /** Oldest first; the last thousand. */
  readonly attempts: AttemptItem[];
}

// As JSON: PostgreSQL would fail the whole list for a name that it cannot hold as text.
const waiverOfDelivery = sql`from waiver g where g.pool = d.pool and g.id = d.waiver_id`;
const maxNameLength = 200;

/** A row of {@link itemColumns}. */
export interface ItemRow extends Omit<DeliveryItem, 'guestName'> {
  readonly guestNameJson: string | null;
}

/** The columns of an {@link ItemRow}, for a delivery `d` with {@link stateOfDelivery} joined. */
export const itemColumns: RawBuilder<ItemRow> = sql`
d.id, d.kind, ${shownState} as state, d.pool, d.destination, d.waiver_id, d.version,
d.created_at, ${ownersOf(sql`d.destination`)},
coalesce(d.booking_id, (select g.booking_id ${waiverOfDelivery})) as booking_id,
(select (g.answers::json -> 'name')::text ${waiverOfDelivery} and g.erasure is null) as guest_name_json`;

/** The delivery of a row, with any additional columns. */
export function itemOfRow<Row extends ItemRow>({
  guestNameJson,
  ...row
}: Row): Omit<Row, 'guestNameJson'> & Pick<DeliveryItem, 'guestName'> {
  const name: unknown = guestNameJson === null ? null : JSON.parse(guestNameJson);
  return { ...row, guestName: typeof name === 'string' && name !== '' ? name.slice(0, maxNameLength) : null };
}

import type { Warning } from '@waiver-service/core';
import { type RawBuilder, sql } from 'kysely';
import { ownersOf } from '../destinations/destinations.ts';
import { type DeliveryStateName, shownState } from '../outbox/delivery-state.ts';
import type { AttemptOutcome, AttemptTrigger, DestinationKind } from '../outbox/delivery-types.ts';

/** One delivery of a list. */
export interface DeliveryItem {
  readonly id: string;
  readonly kind: DestinationKind;
  readonly state: DeliveryStateName;
  readonly pool: string;
  readonly destination: string;
  /** The install name, if its destination is an installation that is still there. */
  readonly bookingSystem: string | null;
  /** The webhook, if its destination is one that is still there. */
  readonly webhook: { readonly id: string; readonly url: string } | null;
  readonly waiverId: string;
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
  readonly bookingId: string | null;
  /** The JSON text that is sent. Of a waiting delivery, as the next attempt would send it. */
  readonly body: string;
  /** Why it ended without being sent, if the booking system has no place for any part of it. */
  readonly reason: string | null;
  /** When it is due, if it waits. A message before it in its lane may put it off. */
  readonly nextAttemptAt: Date | null;
  /** The warnings of the last attempt. */
  readonly warnings: readonly Warning[];
  /** Oldest first; the last thousand. */
  readonly attempts: AttemptItem[];
}

/** The columns of a {@link DeliveryItem}, for a delivery `d` with {@link stateOfDelivery} joined. */
export const itemColumns: RawBuilder<DeliveryItem> = sql`
d.id, d.kind, ${shownState} as state, d.pool, d.destination, d.waiver_id as "waiverId", d.version,
d.created_at as "createdAt", ${ownersOf(sql`d.destination`)}`;

import type { RequestLimits } from '@waiver-service/core';
import { retryDeadlock } from '@waiver-service/database';
import { changingSending, sharedBudgetId } from '@waiver-service/outbox';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../database/tables.ts';

/** The part of a plugin's manifest that sending depends on. */
export interface SendingManifest {
  readonly bookingSystem: string;
  readonly writeUnit: 'waiver' | 'booking';
  /** If false, nothing is enqueued for the booking system. */
  readonly takesGuestUpdates: boolean;
  /** Which id a Guest Update identifies the guest by. */
  readonly guestId: 'booking-guest-id' | 'waiver-id' | 'none';
  /** The booking system's request limits, for all hosts together; none by default. */
  readonly requestLimits?: RequestLimits | undefined;
  /** Whether the service registers the booking system's webhooks. Default: no. */
  readonly registersWebhooks?: boolean | undefined;
}

// Keeps transactions short.
const maxBatchSize = 500;

async function applyToBatch(transaction: DatabaseTransaction, manifest: SendingManifest): Promise<number> {
  const { bookingSystem, writeUnit, takesGuestUpdates, guestId, requestLimits } = manifest;
  const windows = requestLimits?.windows;
  const requests = windows?.map((window) => window.requests) ?? null;
  const windowMs = windows?.map((window) => window.windowMs) ?? null;
  const shared = requestLimits?.per === 'booking-system' ? sharedBudgetId(bookingSystem) : null;
  const { rows } = await sql<{ changed: number }>`
with other as materialized (
  select i.pool, i.booking_system, i.destination_id, coalesce(${shared}, i.destination_id) as budget from installation i
  join destination d on d.id = i.destination_id
  left join request_budget r on r.id = d.request_budget
  where i.booking_system = ${bookingSystem} and i.status <> 'uninstalled' and (
    i.write_unit <> ${writeUnit} or i.takes_guest_updates <> ${takesGuestUpdates}::boolean or i.guest_id <> ${guestId}
    or coalesce(d.next_write_unit, d.write_unit) <> ${writeUnit}
    or r.requests is distinct from ${requests}::integer[] or r.window_ms is distinct from ${windowMs}::double precision[]
    or r.id <> coalesce(${shared}, i.destination_id))
  order by i.pool limit ${maxBatchSize}::integer for update of i),
installations as (
  update installation i set write_unit = ${writeUnit}, takes_guest_updates = ${takesGuestUpdates}::boolean,
    guest_id = ${guestId}
  from other o where i.pool = o.pool and i.booking_system = o.booking_system),
${changingSending({ writeUnit, windows })}
select count(*) as changed from other`.execute(transaction);
  return rows[0]?.changed ?? 0;
}

/** A plugin may register webhooks that its previous version did not. */
async function requestMissingWebhooks(
  transaction: DatabaseTransaction,
  bookingSystem: string,
): Promise<void> {
  await sql`
insert into vendor_webhook (destination, pool, booking_system)
select destination_id, pool, booking_system from installation
where booking_system = ${bookingSystem} and status <> 'uninstalled'
order by destination_id
on conflict do nothing`.execute(transaction);
}

/**
 * Updates existing installations to a plugin's current manifest. Call it only when a host starts: of two hosts with
 * different versions of a plugin, the one that started last then wins, and the other does not undo it.
 *
 * `writeUnit` decides which messages are sent in order, so a destination adopts a new one only once it has no pending
 * messages: see `createWriteUnitJob`.
 *
 * @returns the number of installations changed
 */
export async function applyManifest(database: Database, manifest: SendingManifest): Promise<number> {
  const inTransaction = <Result>(work: (transaction: DatabaseTransaction) => Promise<Result>) =>
    retryDeadlock(() => database.transaction().execute(work));
  if (manifest.registersWebhooks)
    await inTransaction((transaction) => requestMissingWebhooks(transaction, manifest.bookingSystem));
  let changed = 0;
  for (;;) {
    const batch = await inTransaction((transaction) => applyToBatch(transaction, manifest));
    changed += batch;
    if (batch < maxBatchSize) return changed;
  }
}

import { prepared, rowsOf } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, DatabaseTransaction } from '../data/tables.ts';
import type { DestinationKind } from '../messages/delivery-types.ts';

interface NewDestination {
  readonly pool: string;
  readonly kind: DestinationKind;
  /** The unit by which its messages are ordered; the waiver by default. */
  readonly writeUnit?: 'waiver' | 'booking';
}

/** Creates an active destination and returns its id. A closed one is never reopened. */
export async function openDestination(
  transaction: DatabaseTransaction,
  { pool, kind, writeUnit = 'waiver' }: NewDestination,
): Promise<string> {
  const id = uuidv7();
  await transaction.insertInto('destination').values({ id, pool, kind, writeUnit }).execute();
  return id;
}

/** Makes the probe of a destination that was paused for failures due: the cause may have been fixed. */
export async function probeSoon(transaction: DatabaseTransaction, id: string): Promise<void> {
  await sql`
    update destination set next_probe_at = now() where id = ${id} and paused_by = 'failures'`.execute(
    transaction,
  );
}

/** Sets the unit by which a destination's messages are ordered, once nothing waits there. */
export async function changeWriteUnit(
  transaction: DatabaseTransaction,
  id: string,
  writeUnit: 'waiver' | 'booking',
): Promise<void> {
  await sql`
    update destination set next_write_unit = nullif(${writeUnit}, write_unit)
    where id = ${id} and status <> 'closed' and coalesce(next_write_unit, write_unit) <> ${writeUnit}`.execute(
    transaction,
  );
}

/**
 * Closes a destination permanently: from the commit on, nothing is enqueued for it or claimed. Waiting messages are shown
 * as `cancelled` at once, and recorded so in batches by any host (see `createCancelJob`), so that this transaction is
 * short however many there are. Messages being sent end normally and are recorded. Stored responses of its attempts are
 * no longer shown, and are erased with the last batch.
 *
 * Call it last in its transaction, after locking rows that a change of a waiver may lock (the installation, cached
 * bookings): a change locks those before destinations.
 */
export async function closeDestination(transaction: DatabaseTransaction, id: string): Promise<void> {
  // Waits for all changes that are enqueueing for this destination; later ones see it closed.
  await sql`select from destination where id = ${id} for update`.execute(transaction);
  await transaction
    .updateTable('destination')
    .set({
      status: 'closed',
      cancelling: true,
      pausedBy: null,
      nextProbeAt: null,
      heldUntil: null,
      unauthorizedUntil: null,
      nextWriteUnit: null,
    })
    .where('id', '=', id)
    .execute();
}

/** Stops sending to a destination, including probes, until it is resumed. A closed destination stays closed. */
export async function pauseDestination(database: Database, id: string): Promise<void> {
  await database
    .updateTable('destination')
    .set({ status: 'paused', pausedBy: 'person', nextProbeAt: null })
    .where('id', '=', id)
    .where('status', '<>', 'closed')
    .execute();
}

/** Ends a pause and a hold, and makes all waiting messages due. A closed destination stays closed. */
export async function resumeDestination(database: Database, id: string): Promise<void> {
  await database
    .updateTable('destination')
    .set({
      status: 'active',
      pausedBy: null,
      nextProbeAt: null,
      heldUntil: null,
      unauthorizedUntil: null,
      failingSince: null,
      consecutiveFailures: 0,
    })
    .where('id', '=', id)
    .where('status', '<>', 'closed')
    .execute();
  await makeDue(database, id);
}

const batch = 1_000;

/** Makes all messages that wait for a destination due now, in small batches. */
export async function makeDue(database: Database, destination: string): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ hastened: number }>`
with far as materialized (
  select p.destination, p.id, p.pool from pending p
  where p.destination = ${destination} and p.retrying in (false, true) and p.due_at > now()
  limit ${batch}::integer for update skip locked),
hastened as (
  update pending p set due_at = now() from far f
  where p.destination = f.destination and p.id = f.id and p.pool = f.pool
  returning 1)
select count(*) as hastened from hastened`.execute(database);
    if ((rows[0]?.hastened ?? 0) < batch) return;
  }
}

/** A hold that a destination asked for with `Retry-After`. */
export interface DestinationHold {
  readonly destination: string;
  /** Milliseconds from now. */
  readonly holdMs: number;
}

/** Whether nothing may be sent to a destination `t` now: it asked for a hold, or its authorization is lost. */
export const isHeld: RawBuilder<boolean> = sql`
  coalesce(greatest(t.held_until, t.unauthorized_until) > now(), false)`;

/**
 * Holds destinations. A longer existing hold stays; an operator's resume ends any.
 *
 * @returns their pools
 */
export async function holdDestinations(database: Database, holds: readonly DestinationHold[]): Promise<void> {
  const parameters = holds.map(({ destination, holdMs }) => ({ id: destination, holdMs }));
  await sql`${prepared}
with asked as (
  select id, max(hold_ms) as hold_ms
  from ${rowsOf(parameters, 'h', { id: 'text', holdMs: 'double precision' })}
  group by id),
found as materialized (
  select t.id, a.hold_ms from destination t join asked a on a.id = t.id
  where t.status <> 'closed' order by t.id for no key update of t)
update destination t set held_until = greatest(t.held_until,
  date_trunc('milliseconds', now() + f.hold_ms * interval '1 millisecond'))
from found f where t.id = f.id`.execute(database);
}

/**
 * A statement, or part of one, that sends nothing to destinations whose authorization is lost before a time; null: they are
 * sent to again.
 *
 * @param held - a query of the ids of destinations, and of these times
 */
export const holdUnauthorized = (held: RawBuilder<unknown>): RawBuilder<unknown> => sql`
update destination d set unauthorized_until = h.until from (${held}) h (destination, until)
where d.id = h.destination and d.status <> 'closed'`;

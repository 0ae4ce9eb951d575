import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { DatabaseTransaction } from '../data/tables.ts';
import type { DestinationKind } from '../messages/delivery-types.ts';

export interface NewDestination {
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

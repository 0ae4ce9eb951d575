import { prepared } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../data/tables.ts';
import type { ClaimedDelivery } from '../messages/delivery-types.ts';
import { fence } from './dispatchers.ts';

/** An array column of ids without some of them. */
export const idsWithout = (ids: RawBuilder<unknown>, gone: RawBuilder<unknown>): RawBuilder<unknown> => sql`
(select coalesce(array_agg(u.id), '{}') from unnest(${ids}) u (id) where u.id <> all (${gone}))`;

export type ClaimedKey = Pick<ClaimedDelivery, 'id' | 'pool' | 'batch'>;

/**
 * Returns claimed messages whose attempt was not started: they wait as before the claim, with no entry in the log. Does
 * nothing if another dispatcher has taken over.
 */
export async function returnClaims(
  database: Database,
  dispatcher: string,
  claimed: readonly ClaimedKey[],
): Promise<void> {
  if (claimed.length === 0) return;
  const ids = claimed.map(({ id }) => id);
  const batches = [...new Set(claimed.map(({ batch }) => batch))];
  await sql`${prepared}
with ${fence(dispatcher)}
update journal j set ids = ${idsWithout(sql`j.ids`, sql`${ids}::uuid[]`)}
from fence f where j.dispatcher = f.id and j.batch = any (${batches}::bigint[])`.execute(database);
}

/**
 * Call this after a claim whose response was lost, before claiming anything else or giving up a shard: the messages it
 * took were not sent, and must not be put in doubt after newer ones were sent. Voids claims that have not committed yet,
 * and deletes the batches that the dispatcher does not know.
 *
 * @returns the epoch of later claims; undefined if another dispatcher has taken over.
 */
export function voidLostClaims(
  database: Database,
  dispatcher: string,
  known: readonly number[],
): Promise<number | undefined> {
  return database.transaction().execute(async (transaction) => {
    // Waits for an uncommitted claim, which the next statement then sees.
    await sql`select from dispatcher where id = ${dispatcher}::uuid for update`.execute(transaction);
    const { rows } = await sql<{ epoch: number }>`
with deleted as (
  delete from journal j where j.dispatcher = ${dispatcher}::uuid and j.batch <> all (${[...known]}::bigint[]))
update dispatcher set claim_epoch = claim_epoch + 1 where id = ${dispatcher}::uuid
returning claim_epoch as epoch`.execute(transaction);
    return rows[0]?.epoch;
  });
}

/** Deletes batches whose messages were all recorded or given back. */
export async function deleteBatches(
  database: Database,
  dispatcher: string,
  batches: readonly number[],
): Promise<void> {
  if (batches.length === 0) return;
  await sql`${prepared}
with ${fence(dispatcher)}
delete from journal j using fence f where j.dispatcher = f.id and j.batch = any (${[...batches]}::bigint[])`.execute(
    database,
  );
}

import { sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';
import { idsWithout } from '../dispatching/journal.ts';
import { sequencedBy } from './enqueue.ts';

/**
 * Makes messages wait again at the end of their lanes, with the count of attempts reset; those that wait already are due
 * now. The caller has locked their waivers, so that none becomes outdated, and their destinations, which are open.
 *
 * @returns the messages that did not wait before
 */
export async function reopenMessages(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  await lockPending(transaction, ids);
  await makeDue(transaction, ids);
  return reopen(transaction, ids);
}

/**
 * The ordering key of a reopened delivery `d` at its destination `t`. The write unit may have changed since it ended, and
 * newer messages must be in the same lane.
 */
const orderingKey = sql`
case t.write_unit when 'booking' then coalesce(d.booking_id, d.waiver_id) else d.waiver_id end`;

/** The waiting messages in the lanes of some deliveries, locked before any of them changes. */
async function lockPending(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  await sql`
select from ${lanesOf(ids)} l
join pending p on p.destination = l.destination and p.ordering_key = l.ordering_key
order by p.id for update of p`.execute(transaction);
}

const lanesOf = (ids: readonly string[]) => sql`(
  select distinct d.destination, k.ordering_key from delivery d join destination t on t.id = d.destination
  cross join lateral (values (d.ordering_key), (${orderingKey})) k (ordering_key)
  where d.id = any (${[...ids]}::uuid[]))`;

/** Makes waiting messages due now, together with those before them in their lanes. */
async function makeDue(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
  await sql`
update pending p set due_at = least(p.due_at, now()), manual = p.manual or o.sequence = p.sequence
from pending o
where o.id = any (${[...ids]}::uuid[])
  and (o.destination, o.id, o.pool) in (
    select d.destination, d.id, d.pool from delivery d where d.id = any (${[...ids]}::uuid[]))
  and p.destination = o.destination and p.ordering_key = o.ordering_key and p.sequence <= o.sequence`.execute(
    transaction,
  );
}

async function reopen(
  transaction: DatabaseTransaction,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
with placed as materialized (
  select d.pool, d.id, d.destination, ${orderingKey} as ordering_key, d.ordering_key as former_key, d.waiver_id,
    d.version, d.booking_id, d.takeback
  from delivery d join destination t on t.id = d.destination
  where d.id = any (${[...ids]}::uuid[]) and not exists (
    select from pending p where p.destination = d.destination and p.id = d.id and p.pool = d.pool)),
${sequencedBy(sql`id`)},
forgotten as (
  delete from ended e using placed d where e.id = d.id and e.pool = d.pool),
-- The batch of an earlier claim may still be in the journal.
removed_from_journal as (
  update journal j set ids = ${idsWithout(sql`j.ids`, sql`${[...ids]}::uuid[]`)}
  where j.ids && array(select id from placed)),
moved as (
  update delivery d set ordering_key = w.ordering_key from wanted w
  where d.id = w.id and d.pool = w.pool and w.ordering_key <> w.former_key)
insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at, manual)
select w.destination, w.id, w.pool, w.ordering_key, w.sequence, w.waiver_id, w.booking_id, w.takeback, now(), true
from wanted w
returning id`.execute(transaction);
  return new Set(rows.map(({ id }) => id));
}

import type { Recipients, WaiverRecord } from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/database.ts';

interface NotifiedRow {
  readonly waiverId: string;
  readonly destination: string;
}

/** The recipients to notify of a waiver's erasure. */
export type NotifiedRecipients = (waiver: WaiverRecord) => Recipients;

/**
 * Finds the destinations that received waivers of a pool and must be notified that they are gone. If a waiver's
 * deliveries may have been pruned, these are the destinations that existed at its last change. A destination that has
 * accepted a void, or is about to be sent it, is not notified again.
 *
 * @param retentionMs how long deliveries are kept.
 */
export async function readNotifiedRecipients(
  transaction: DatabaseTransaction,
  waivers: readonly WaiverRecord[],
  { pool, recipients, retentionMs }: { pool: string; recipients: Recipients; retentionMs: number },
): Promise<NotifiedRecipients> {
  const { rows } = await sql<NotifiedRow>`
select w.id as waiver_id, t.id as destination
from waiver w cross join destination t
left join lateral (
  select d.id, e.state from delivery d left join ended e on e.id = d.id and e.pool = d.pool
  where d.pool = w.pool and d.waiver_id = w.id and d.destination = t.id
  order by d.version desc limit 1) newest on true
where w.pool = ${pool} and w.id = any (${waivers.map(({ id }) => id)}::text[])
  and t.pool = ${pool} and t.status <> 'closed'
  and case
    when w.deleted then newest.state = 'dead'
    when newest.id is not null then true
    else t.created_at <= w.updated_at
      and w.updated_at < now() - ${retentionMs}::double precision * interval '1 millisecond' end`.execute(
    transaction,
  );
  const notified = new Map(
    [...Map.groupBy(rows, ({ waiverId }) => waiverId)].map(([waiverId, of]) => [
      waiverId,
      new Set(of.map(({ destination }) => destination)),
    ]),
  );
  return ({ id }) => {
    const destinations = notified.get(id) ?? new Set();
    return {
      installations: recipients.installations.filter(({ destination }) => destinations.has(destination)),
      webhooks: recipients.webhooks.filter(({ destination }) => destinations.has(destination)),
    };
  };
}

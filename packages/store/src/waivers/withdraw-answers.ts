import { announceWithdrawal, replaceBodies } from '@waiver-service/outbox';
import {
  bodyWithout,
  type DestinationKind,
  listedProperties,
  removedAnswers,
  type WaiverRecord,
} from '@waiver-service/waivers';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../database/tables.ts';

interface OlderBody {
  readonly id: string;
  readonly kind: DestinationKind;
  readonly body: string;
  readonly isWaiting: boolean;
}

/**
 * The bodies of older versions that may still be sent: waiting ones, superseded ones that may be in flight and end in
 * doubt, and those that an operator can retry.
 */
async function olderBodies(
  transaction: DatabaseTransaction,
  { pool, id, version }: WaiverRecord,
): Promise<readonly OlderBody[]> {
  const { rows } = await sql<OlderBody>`
select d.id, d.kind, d.body, p.id is not null or e.id is not null as is_waiting
from (
  select id, version, max(version) over (partition by destination, booking_id) as newest
  from delivery where pool = ${pool} and waiver_id = ${id}) o
join delivery d on d.id = o.id and d.pool = ${pool}
left join pending p on p.destination = d.destination and p.id = d.id and p.pool = d.pool
left join ended e on e.id = d.id and e.pool = d.pool and e.state = 'superseded'
where o.version < ${version} and (p.id is not null or e.id is not null or o.version = o.newest)
order by d.id`.execute(transaction);
  return rows;
}

/**
 * Removes from older bodies the answers and other listed properties that a change removed. Those bodies are few and
 * removals rare, so other messages cost nothing extra. Call it last in the change's transaction, which has locked the
 * record.
 *
 * @returns whether a waiting message was changed.
 */
export async function withdrawAnswers(
  transaction: DatabaseTransaction,
  former: WaiverRecord,
  next: WaiverRecord,
): Promise<boolean> {
  const removed = removedAnswers(listedProperties(former), listedProperties(next));
  if (removed.size === 0) return false;
  const changed = (await olderBodies(transaction, next)).flatMap(({ body, ...older }) => {
    const without = bodyWithout(older.kind, body, removed);
    return without === body ? [] : [{ ...older, body: without }];
  });
  if (changed.length === 0) return false;
  await replaceBodies(
    transaction,
    next.pool,
    changed.map(({ id, body }) => ({ id, body })),
  );
  if (!changed.some(({ isWaiting }) => isWaiting)) return false;
  await announceWithdrawal(transaction, { waiverId: next.id });
  return true;
}

import { type Lane, type LaneSide, maxCounted } from '@waiver-service/api';
import { isUuid } from '@waiver-service/database';
import { stateOfDelivery } from '@waiver-service/outbox';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { type ItemRow, itemColumns, itemOfRow } from './delivery-item.ts';

const maxShown = 10;

interface OwnRow {
  readonly destination: string;
  readonly key: string;
  readonly waiverId: string;
  readonly sequence: number | null;
}

/** The messages of a lane on one side of a delivery: the nearest, in the order in which they are sent. No locks. */
async function readSide(
  database: Database,
  { destination, key }: OwnRow,
  position: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
): Promise<LaneSide> {
  const inLane = sql`p.destination = ${destination} and p.ordering_key = ${key} and ${position}`;
  const { rows } = await sql<LaneRow>`
select ${itemColumns}, f.due_at as next_attempt_at, f.sequence from (
  select p.id, p.pool, p.due_at, p.sequence from pending p where ${inLane}
  order by p.sequence ${order} limit ${maxShown}::integer) f
join delivery d on d.id = f.id and d.pool = f.pool ${stateOfDelivery}
order by f.sequence`.execute(database);
  if (rows.length < maxShown) return { count: rows.length, items: rows.map(itemOf) };
  const { rows: counted } = await sql<{ count: number }>`
select count(*) as count from (select from pending p where ${inLane} limit ${maxCounted}::integer) p`.execute(
    database,
  );
  return { count: counted[0]?.count ?? rows.length, items: rows.map(itemOf) };
}

interface LaneRow extends ItemRow {
  readonly nextAttemptAt: Date;
  readonly sequence: number;
}

const itemOf = ({ sequence: _, nextAttemptAt, ...row }: LaneRow) => ({ ...itemOfRow(row), nextAttemptAt });

/** The lane of a delivery; undefined if there is no such delivery. */
export async function readLane(database: Database, id: string): Promise<Lane | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<OwnRow>`
select d.destination, coalesce(p.ordering_key, d.ordering_key) as key, d.waiver_id, p.sequence
from delivery d left join pending p on p.destination = d.destination and p.id = d.id and p.pool = d.pool
where d.id = ${id}::uuid`.execute(database);
  const [own] = rows;
  if (own === undefined) return undefined;
  const { key, waiverId, sequence } = own;
  // If not, nothing is before it, and all that waits in its lane is after it.
  const waiting = sequence !== null;
  return {
    orderedBy: key === waiverId ? 'waiver' : 'booking',
    key,
    waiting,
    before: waiting
      ? await readSide(database, own, sql`p.sequence < ${sequence}::bigint`, sql`desc`)
      : { count: 0, items: [] },
    after: await readSide(database, own, sql`p.sequence > ${sequence ?? 0}::bigint`, sql`asc`),
  };
}

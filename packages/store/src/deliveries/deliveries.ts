import {
  type AttemptItem,
  type DeliveryFilter,
  type DeliveryItem,
  type Lane,
  type LaneSide,
  maxCounted,
  type RecoverRequest,
} from '@waiver-service/api';
import {
  isUuid,
  omitNulls,
  type Page,
  type PageRequest,
  type RowOf,
  readList,
  retryDeadlock,
} from '@waiver-service/database';
import { stateOfDelivery } from '@waiver-service/outbox';
import { bodyWithOnly } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import type { StoreContext } from '../store-context.ts';
import {
  type ItemRow,
  itemColumns,
  itemOfRow,
  listDeliveries,
  type StoredDelivery,
} from './list-deliveries.ts';
import { beginRecovery, getRecovery, type LimitedRecovery, type RecoverOutcome } from './recoveries.ts';
import { reopenDeliveries } from './reopen-deliveries.ts';

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
async function readLane(database: Database, id: string): Promise<Lane | undefined> {
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

/** The result of a retry: `deliveryId` is the delivery that is sent, the newest of its waiver and destination. */
export type RetryOutcome = { readonly deliveryId: string } | { readonly outcome: 'destination-gone' };

/** Deliveries, as operators see them. @param onRecovery called after a recovery was started */
export function createDeliveries({ database, notifications }: StoreContext, onRecovery: () => void) {
  async function poolOf(id: string): Promise<string | undefined> {
    if (!isUuid(id)) return undefined;
    const row = await database.selectFrom('delivery').select('pool').where('id', '=', id).executeTakeFirst();
    return row?.pool;
  }

  return {
    /** The pool of a delivery, which never changes. */
    poolOf,
    /** Newest first. @throws MalformedCursor, ListTooSlow */
    list: (filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryItem>> =>
      readList(database, (limited) => listDeliveries(limited, filter, page)),
    get: (id: string): Promise<StoredDelivery | undefined> => getDelivery(database, id),
    /** The deliveries that are sent before and after a given one. */
    lane: (id: string): Promise<Lane | undefined> => readLane(database, id),
    /** Retries a delivery at once; a waiting one becomes due. `undefined` if there is no such delivery. */
    async retry(id: string): Promise<RetryOutcome | undefined> {
      const pool = await poolOf(id);
      if (pool === undefined) return undefined;
      const [found] = await retryDeadlock(() => reopenDeliveries(database, [id]));
      if (found === undefined) return { outcome: 'destination-gone' };
      notifications.announce('outbox');
      return { deliveryId: found.deliveryId };
    },
    /** Starts a recovery: retries a first batch at once, the rest in the background on any host. */
    async recover(request: RecoverRequest): Promise<RecoverOutcome> {
      const result = await beginRecovery(database, request);
      if ('outcome' in result) return result;
      notifications.announce('outbox');
      onRecovery();
      return result;
    },
    /** The progress of a recovery; undefined if it is unknown or ended long ago. */
    recovery: (id: string): Promise<LimitedRecovery | undefined> => getRecovery(database, id),
  };
}

const maxAttempts = 1_000;

interface AttemptRow extends Omit<RowOf<AttemptItem>, 'warnings'> {
  readonly warnings: string | null;
}

interface DetailRow extends ItemRow {
  readonly body: string;
  readonly reason: string | null;
  readonly nextAttemptAt: Date | null;
  /** The answers that may be sent, if it waits and more were allowed when its body was created. */
  readonly narrowedTo: readonly string[] | null;
}

async function getDelivery(database: Database, id: string): Promise<StoredDelivery | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<DetailRow>`
select ${itemColumns}, d.body, e.reason,
  p.due_at as next_attempt_at,
  case when p.id is not null and d.permission_version < t.permission_version
    then coalesce(w.properties, i.share_properties) end as narrowed_to
from delivery d ${stateOfDelivery}
left join webhook w on w.destination_id = d.destination
left join installation i on i.destination_id = d.destination
where d.id = ${id}::uuid`.execute(database);
  const [row] = rows;
  if (row === undefined) return undefined;
  // The stored responses of a closed destination are being erased, so none is shown.
  const { rows: newestFirst } = await sql<AttemptRow>`
select a.at, a.duration_ms, a.outcome, a.status, a.error_code, a.trigger,
  case when t.status <> 'closed' then a.response end as response,
  case when t.status <> 'closed' then a.warnings end as warnings
from attempt a join delivery d on d.id = a.delivery join destination t on t.id = d.destination
where a.delivery = ${id}::uuid order by a.at desc limit ${maxAttempts}::integer`.execute(database);
  const attempts = newestFirst.reverse().map(attemptOf);
  const { narrowedTo, body, reason, nextAttemptAt, ...item } = row;
  const isWhole = narrowedTo === null || row.kind === 'alert' || row.kind === 'invitation';
  return {
    ...itemOfRow(item),
    ...omitNulls({ reason, nextAttemptAt }, 'reason', 'nextAttemptAt'),
    body: isWhole ? body : bodyWithOnly(row.kind, body, narrowedTo),
    warnings: attempts.at(-1)?.warnings ?? [],
    attempts,
  };
}

const attemptOf = ({ warnings, ...row }: AttemptRow): AttemptItem => ({
  ...omitNulls(row, 'status', 'errorCode', 'response'),
  warnings: warnings === null ? undefined : JSON.parse(warnings),
});

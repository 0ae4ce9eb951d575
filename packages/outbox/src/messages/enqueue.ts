import { arrayOf, rowsOf } from '@waiver-service/database';
import type { WaiverMessage } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { BookingIds } from '../outbox-context.ts';
import type { DestinationKind } from './delivery-types.ts';

const rowOf = (message: WaiverMessage, bodyPlace: number) => ({
  id: uuidv7(),
  destination: message.destination,
  kind: message.kind,
  pool: message.pool,
  waiverId: message.waiverId,
  version: message.version,
  bookingId: message.bookingId,
  takeback: message.takeback,
  bodyPlace,
  permissionVersion: message.permissionVersion,
});

/** A condition that is always true, but evaluated only after the CTE has been read to its end. */
const after = (cte: RawBuilder<unknown>) => sql`(select count(*) from ${cte}) >= 0`;

/**
 * CTEs that give each message of a CTE `placed (destination, ordering_key, waiver_id, version, …)` its `sequence`, in
 * `wanted`.
 *
 * The sequences of a lane must grow in the order in which its messages become visible. In a waiver's lane, the lock on
 * the waiver ensures this; in a booking's lane, two waivers may change at once, so the lane itself is locked until the
 * transaction ends. Lanes are locked after waivers and destinations, in the order of their keys.
 */
export const sequencedBy = (order: RawBuilder<unknown>): RawBuilder<unknown> => sql`
booking_lane as materialized (
  select pg_advisory_xact_lock(hashtextextended(k.destination || ' ' || k.ordering_key, 0)) from (
    select distinct destination, ordering_key from placed where ordering_key is distinct from waiver_id
    order by destination, ordering_key) k),
wanted as materialized (
  select p.*, nextval('outbox_sequence') as sequence from (
    select * from placed where ${after(sql`booking_lane`)} order by ${order}) p)`;

/**
 * Enqueues messages within the statement that writes their waivers. Follows a CTE `changed (pool, id)`: unchanged waivers
 * enqueue nothing.
 *
 * The destination decides whether its messages are ordered by waiver or by booking. This is read under the destination's
 * lock, and changes only when nothing waits there (see `createWriteUnitJob`), so that no message overtakes one of the
 * previous order.
 *
 * A message carries its booking's canonical id, if known, which is also the booking's lane (see `move-to-lanes.ts`).
 *
 * Locks, in this order: waivers (in `changed`), destinations (shared; closing one waits), lanes of bookings, waiting
 * messages by id. A message supersedes older waiting ones of the same waiver, destination and booking, unless they are in
 * doubt or takebacks. A message being sent is superseded too, as its dispatcher finds when it records the attempt: if
 * accepted, it still counts as delivered; if in doubt, it waits again.
 *
 * Older messages are searched in the order of their lane, which leaves PostgreSQL only the lane's index, however poor its
 * statistics. If searched by destination only, a change would read all of the destination's pending messages.
 *
 * Lock rows through a join with a CTE, never `in (select …)`: when PostgreSQL rechecks a row it has waited for, it
 * keeps joined rows but cannot evaluate a sub-select over `changed` again.
 */
export function enqueue(
  messages: readonly WaiverMessage[],
  { installation, ownId, otherIds }: BookingIds,
): RawBuilder<unknown> {
  // Each distinct body is passed once, and referenced by its place, from 1.
  const places = new Map<string, number>();
  const rows = messages.map((message) => {
    const place = places.get(message.body) ?? places.size + 1;
    places.set(message.body, place);
    return rowOf(message, place);
  });
  return sql`
message as materialized (
  select * from ${rowsOf(rows, 'm', {
    id: 'uuid',
    destination: 'text',
    kind: 'text',
    pool: 'text',
    waiverId: 'text',
    version: 'integer',
    bookingId: 'text',
    takeback: 'boolean',
    bodyPlace: 'integer',
    permissionVersion: 'integer',
  })}),
target as materialized (
  select distinct m.destination from changed c join message m on m.pool = c.pool and m.waiver_id = c.id),
open as materialized (
  select d.id, d.write_unit, ${installation.bookingSystem} as booking_system from target g
  join destination d on d.id = g.destination ${installation.joins}
  where d.status <> 'closed'
  order by d.id for key share of d),
placed as materialized (
  select m.id, m.destination, m.kind, m.pool, m.waiver_id, m.version, m.takeback, m.body_place, m.permission_version,
    k.booking_id, b.other_ids,
    case o.write_unit when 'booking' then coalesce(k.booking_id, m.waiver_id) else m.waiver_id end as ordering_key
  from message m
  join open o on o.id = m.destination
  cross join lateral (
    select i.own_id, array(${otherIds}) as other_ids from (select ${ownId} as own_id offset 0) i) b
  -- If an older message of the waiver still waits under another id of the booking, this one joins its lane.
  cross join lateral (select coalesce((
    select p.ordering_key from unnest(b.other_ids) u (id)
    join pending p on p.destination = m.destination and p.ordering_key = u.id
    where o.write_unit = 'booking' and p.waiver_id = m.waiver_id limit 1), b.own_id) as booking_id) k
  -- Not a join, nor a condition that becomes one: the planner, which expects one changed waiver, would compare each
  -- message with each of them.
  where ((m.pool, m.waiver_id) in (select pool, id from changed)) is true),
${sequencedBy(sql`waiver_id, version`)},
older as materialized (
  select o.destination, o.id, o.pool from wanted m
  cross join lateral (
    select p.destination, p.id, p.pool, p.waiver_id, p.booking_id, p.takeback from pending p
    where p.destination = m.destination and p.ordering_key = m.ordering_key
    order by p.sequence offset 0) o
  where o.pool = m.pool and o.waiver_id = m.waiver_id and not o.takeback
    and (o.booking_id is not distinct from m.booking_id or o.booking_id = any (m.other_ids))),
locked as materialized (
  select p.destination, p.id, p.pool from older o
  join pending p on p.destination = o.destination and p.id = o.id and p.pool = o.pool
  where not p.in_doubt
  order by p.id for update of p),
gone as (
  delete from pending p using locked l
  where p.destination = l.destination and p.id = l.id and p.pool = l.pool
  returning p.id, p.pool, p.attempts, p.sequence),
superseded as (
  insert into ended (id, pool, state, attempts, sequence)
  select id, pool, 'superseded', attempts, sequence from gone),
enqueued as (
  insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, booking_id, takeback,
    permission_version, body, created_at)
  select m.pool, m.id, m.destination, m.kind, m.ordering_key, m.waiver_id, m.version, m.booking_id, m.takeback,
    m.permission_version, (${arrayOf([...places.keys()])}::text[])[m.body_place], date_trunc('milliseconds', now())
  from wanted m
  returning 1),
waiting as (
  insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at)
  select m.destination, m.id, m.pool, m.ordering_key, m.sequence, m.waiver_id, m.booking_id, m.takeback, now()
  from wanted m)`;
}

/**
 * Parts of a `with` that enqueue messages which no waiver causes, for the rows of its part `message`: `id` (a UUID),
 * `pool`, `destination`, `ordering_key` and `body`. Those with the same key are sent in order. None supersedes another,
 * since each has a different id in place of a waiver's. Notify the channel `outbox` in the same transaction, or announce
 * it after the commit.
 */
export const enqueuing = (kind: DestinationKind): RawBuilder<unknown> => sql`
enqueued as (
  insert into delivery (pool, id, destination, kind, ordering_key, waiver_id, version, booking_id, takeback, body,
    created_at)
  select pool, id, destination, ${sql.lit(kind)}, ordering_key, id::text, 1, null, false, body,
    date_trunc('milliseconds', now())
  from message),
waiting as (
  insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at)
  select destination, id, pool, ordering_key, nextval('outbox_sequence'), id::text, null, false, now() from message)`;

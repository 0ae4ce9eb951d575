import type { WaiverMessage } from '@waiver-service/waivers';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { rowsOf } from '../database/rows-of.ts';

const rowOf = (message: WaiverMessage) => ({
  id: uuidv7(),
  destination: message.destination,
  kind: message.kind,
  pool: message.pool,
  waiver_id: message.waiverId,
  version: message.version,
  booking_id: message.bookingId,
  takeback: message.takeback,
  body: message.body,
  permission_version: message.permissionVersion,
});

/**
 * The part of a waiver's own statement that enqueues its messages. It stands after a CTE `changed (pool, id)`: what
 * was not changed sends nothing.
 *
 * What orders a message, its waiver or its booking, is its destination's to say, read under the destination's lock: it
 * changes only when nothing waits there (see `createWriteUnitJob`), so that no message passes one of the former order.
 *
 * Locks, in this order: waivers (in `changed`), destinations (shared; a closing one waits), lanes by destination and
 * key. A message supersedes older ones of the same waiver, destination and booking that wait, unless they are in
 * flight, in doubt or take a record back. A claim that takes the lane at the same moment is exact, because it writes
 * `current` into the lane row that is locked here first; a finish, because the delivery's own row is checked again
 * after its lock.
 *
 * The older ones are looked for in the order of their lane: that leaves PostgreSQL no other index than the lane's own,
 * however little it knows of the table. By the destination alone, a change would look at everything that waits there.
 * And `is not distinct from` keeps it from walking the index of all that waits, to find a few by their ids.
 *
 * What is locked is joined to a CTE, never compared by `in (select …)`: when PostgreSQL waits for a row and checks it
 * again, a joined row is still at hand, a sub-select over `changed` could not be run again. And `lanes` counts what
 * stands before it, which changes nothing but the order: a lane that this statement has written it can no longer lock,
 * and `superseded` would see none.
 */
export function enqueue(messages: readonly WaiverMessage[]): RawBuilder<unknown> {
  return sql`
message as materialized (
  select * from ${rowsOf(messages.map(rowOf), 'm', {
    id: 'uuid',
    destination: 'text',
    kind: 'text',
    pool: 'text',
    waiver_id: 'text',
    version: 'integer',
    booking_id: 'text',
    takeback: 'boolean',
    body: 'text',
    permission_version: 'integer',
  })}),
target as materialized (select distinct destination from message),
open as materialized (
  select d.id, d.write_unit from target g join destination d on d.id = g.destination
  where d.status <> 'closed'
  order by d.id for key share of d),
wanted as materialized (
  select m.*, case o.write_unit when 'booking' then coalesce(m.booking_id, m.waiver_id) else m.waiver_id end
    as ordering_key
  from message m
  join changed c on c.pool = m.pool and c.id = m.waiver_id
  join open o on o.id = m.destination),
place as materialized (select distinct destination, ordering_key, pool from wanted),
locked as materialized (
  select l.pool, l.destination, l.ordering_key, l.current, l.state, l.done_sequence from place p
  join lane l on l.destination = p.destination and l.ordering_key = p.ordering_key and l.pool = p.pool
  order by l.destination, l.ordering_key for update of l),
older as materialized (
  select d.pool, d.id from wanted m
  join locked l on l.pool = m.pool and l.destination = m.destination and l.ordering_key = m.ordering_key
  cross join lateral (
    select d.pool, d.id, d.waiver_id, d.booking_id, d.version from delivery d
    where d.destination = l.destination and d.ordering_key = l.ordering_key and d.pool = l.pool
      and d.state = 'waiting' and d.sequence > l.done_sequence
    order by d.sequence offset 0) d
  where d.waiver_id = m.waiver_id and d.booking_id is not distinct from m.booking_id and d.version < m.version
    and not (l.state = 'leased' and d.id = l.current)),
superseded as (
  update delivery d set state = 'superseded' from older o
  where d.id = o.id and d.pool = o.pool and d.state is not distinct from 'waiting'
    and not d.in_doubt and not d.takeback
  returning d.id),
lanes as (
  insert into lane as l (pool, destination, ordering_key, state, due_at, last_sequence)
  select pool, destination, ordering_key, 'ready', now(), count(*) from wanted
  where (select count(*) from locked) >= 0 and (select count(*) from superseded) >= 0
  group by pool, destination, ordering_key order by destination, ordering_key
  on conflict (destination, ordering_key, pool) do update set
    last_sequence = l.last_sequence + excluded.last_sequence,
    state = case l.state when 'leased' then 'leased' else 'ready' end,
    (due_at, retrying, current) = (
      select case when next.is_fresh then now() else l.due_at end,
        l.retrying and not next.is_fresh,
        case when next.is_fresh then null else l.current end
      from (select l.state = 'idle' or l.state = 'ready'
        and exists (select from superseded s where s.id = l.current) as is_fresh) next)
  returning l.pool, l.destination, l.ordering_key, l.last_sequence),
enqueued as (
  insert into delivery (pool, id, destination, kind, ordering_key, sequence, waiver_id, version, booking_id, takeback,
    permission_version, body, state, created_at)
  select m.pool, m.id, m.destination, m.kind, m.ordering_key,
    n.last_sequence + 1 - row_number() over (
      partition by m.destination, m.ordering_key order by m.waiver_id desc, m.version desc),
    m.waiver_id, m.version, m.booking_id, m.takeback, m.permission_version, m.body, 'waiting',
    date_trunc('milliseconds', now())
  from wanted m join lanes n
    on n.pool = m.pool and n.destination = m.destination and n.ordering_key = m.ordering_key
  returning 1)`;
}

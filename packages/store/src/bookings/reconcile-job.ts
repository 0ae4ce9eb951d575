import type { BackgroundJob } from '@waiver-service/database';
import { sql } from 'kysely';
import { ownBookingId, referenceOf } from '../database/booking-ids.ts';
import type { Database } from '../database/tables.ts';

/*
 * A booking system may not announce changes, or its call may be lost. So each booking with waivers is read again once a
 * day while its visit is near, in rounds over the waivers in order of visit:
 *
 *   between rounds ── 6 hours after the last one began ──▶ under way, at the first visit ── at the last one ──▶ between
 *
 * The hosts share one round; each step queues the bookings of the next waivers. Those of one installation become due
 * one after the other, so that bookings announced meanwhile need not wait behind all of them. Most of the requests that
 * the booking system allows, per installation or for all together, are left for guests.
 */

const roundInterval = sql`interval '6 hours'`;
const window = { from: sql`now() - interval '1 day'`, until: sql`now() + interval '3 days'` };
/** Bookings read since then are skipped. */
const recent = sql`now() - interval '20 hours'`;
const maxWaiversPerStep = 200;
const stepIntervalMs = 10_000;
/** Between two bookings of an installation. */
const spacing = sql`interval '2 seconds'`;
/** A round uses one in this many of the allowed requests. */
const shareOfLimit = 4;
/** Between two bookings that share a request limit `r`. */
const spacingOfLimit = sql`(
  select max(l.window_ms / l.requests) * ${shareOfLimit}::integer * interval '1 millisecond'
  from unnest(r.requests, r.window_ms) l (requests, window_ms))`;
/** No booking becomes due later than this, so that the next round finds all of them read. */
const maxWait = sql`interval '5 hours'`;

/** Queues the bookings of the round's next waivers: none between rounds, or while another host does the step. */
async function step(database: Database): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { rows: rounds } = await sql<{ lastVisit: Date | null; waiverId: string | null }>`
select last_visit, waiver_id from reconciliation
where last_visit is not null or round_started_at <= now() - ${roundInterval} for update skip locked`.execute(
      transaction,
    );
    const [round] = rounds;
    if (round === undefined) return;
    const { lastVisit, waiverId } = round;
    const after =
      lastVisit === null
        ? sql`w.last_visit >= ${window.from}`
        : sql`(w.last_visit, w.id) > (${lastVisit}, ${waiverId})`;
    const { rows } = await sql<{ lastVisit: Date | null; waiverId: string | null }>`
with next as materialized (
  select w.pool, w.booking_system, w.booking_id, w.last_visit, w.id from waiver w
  where w.booking_id is not null and not w.deleted and ${after} and w.last_visit < ${window.until}
  order by w.last_visit, w.id limit ${maxWaiversPerStep}::integer),
booking as (
  select distinct on (pool, booking_system, id) b.* from (
    select w.pool, w.booking_system, ${ownBookingId(referenceOf('w'))} as id, w.last_visit from next w
    join installation i on i.pool = w.pool and i.booking_system = w.booking_system and i.status = 'installed') b
  order by pool, booking_system, id, last_visit),
unread as (
  select b.pool, b.booking_system, b.id,
    row_number() over (partition by b.pool, b.booking_system order by b.last_visit, b.id) - 1 as place,
    row_number() over (partition by b.booking_system order by b.last_visit, b.pool, b.id) - 1 as place_of_all
  from booking b
  where not exists (
    select from cached_booking c where c.pool = b.pool and c.booking_system = b.booking_system
      and c.booking_id = b.id and c.fetched_at > ${recent})
  and not exists (
    select from booking_refresh r where r.pool = b.pool and r.booking_system = b.booking_system
      and r.booking_id = b.id)),
queue as materialized (
  select q.booking_system, count(*) as queued from booking_refresh q group by q.booking_system),
source as materialized (
  select s.pool, s.booking_system, greatest(${spacing}, ${spacingOfLimit}) as spacing,
    -- Where installations share a limit, one behind the queue of all of them.
    case when r.id <> d.id then ${spacingOfLimit} end as spacing_of_all,
    case when r.id <> d.id then coalesce(
      (select q.queued from queue q where q.booking_system = s.booking_system), 0) end as queued_of_all,
    (select max(q.due_at) from booking_refresh q
      where q.pool = s.pool and q.booking_system = s.booking_system) as last_due_at
  from (select distinct pool, booking_system from unread) s
  join installation i on i.pool = s.pool and i.booking_system = s.booking_system
  join destination d on d.id = i.destination_id left join request_budget r on r.id = d.request_budget),
queued as (
  insert into booking_refresh (pool, booking_system, booking_id, due_at)
  select u.pool, u.booking_system, u.id, least(
    greatest(
      greatest(now(), s.last_due_at + s.spacing) + u.place * s.spacing,
      now() + (s.queued_of_all + u.place_of_all) * s.spacing_of_all),
    now() + ${maxWait})
  from unread u join source s on s.pool = u.pool and s.booking_system = u.booking_system
  order by u.pool, u.booking_system, u.id collate "C"
  on conflict do nothing)
select n.last_visit, n.id as waiver_id from next n
where (select count(*) from next) = ${maxWaiversPerStep}::integer
order by n.last_visit desc, n.id desc limit 1`.execute(transaction);
    const [last] = rows;
    await sql`
update reconciliation set last_visit = ${last?.lastVisit ?? null}, waiver_id = ${last?.waiverId ?? null},
  round_started_at = ${lastVisit === null ? sql`now()` : sql`round_started_at`}`.execute(transaction);
  });
}

/** The job that has bookings with a near visit read again. */
export function createReconcileJob(database: Database): BackgroundJob {
  let dueAt = 0;
  return {
    name: 'reading bookings again before their visit',
    async runBatch() {
      if (performance.now() < dueAt) return false;
      dueAt = performance.now() + stepIntervalMs;
      await step(database);
      return false;
    },
  };
}

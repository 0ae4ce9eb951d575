import { type RawBuilder, sql } from 'kysely';

/**
 * A delivery's state as operators see it: `sending` is claimed by a host, `held` waits at a paused destination. What
 * waits for a closed destination is `cancelled`, even before it is recorded so.
 */
export const deliveryStateNames = [
  'waiting',
  'sending',
  'delivered',
  'dead',
  'held',
  'superseded',
  'cancelled',
] as const;

/** One of {@link deliveryStateNames}. */
export type DeliveryStateName = (typeof deliveryStateNames)[number];

/** Joins the row `p` of a delivery `d` that is still to be sent, and `e` of one that ended without being delivered. */
export const pendingAndEnded: RawBuilder<unknown> = sql`
left join pending p on p.destination = d.destination and p.id = d.id and p.pool = d.pool
left join ended e on e.id = d.id and e.pool = d.pool`;

/** Joins its destination `t` and {@link pendingAndEnded}. */
export const stateOfDelivery: RawBuilder<unknown> = sql`
join destination t on t.id = d.destination ${pendingAndEnded}`;

/**
 * Whether it is in a journal: claimed, and not known to have ended. That alone says nothing about a delivered one,
 * whose batch may stay in the journal for a while.
 */
export const isInJournal = (id: RawBuilder<string>): RawBuilder<boolean> => sql`
(${id} in (select u.id from journal j cross join unnest(j.ids) u (id)))`;

/** Whether a delivery with {@link pendingAndEnded} joined is being sent, even if superseded meanwhile. */
export const isSending: RawBuilder<boolean> = sql`
((p.id is not null or e.state = 'superseded') and ${isInJournal(sql`d.id`)})`;

/** The shown state of a delivery `d`, with {@link stateOfDelivery} joined. */
export const shownState: RawBuilder<DeliveryStateName> = sql`case
  when ${isSending} then 'sending'
  when e.id is not null then e.state
  when p.id is null then 'delivered'
  when t.status = 'closed' then 'cancelled'
  when t.status = 'paused' then 'held'
  else 'waiting' end`;

/** The attempts used, with {@link pendingAndEnded} joined; for delivered ones from the log of attempts. */
export const attemptsUsed: RawBuilder<number> = sql`coalesce(p.attempts, e.attempts, (
  select count(*) from attempt a
  where a.delivery = d.id and (a.outcome in ('accepted', 'nothing-written')
    or a.trigger <> 'probe' and (a.outcome = 'refused' or a.outcome = 'in-doubt' and a.error_code is not null))))`;

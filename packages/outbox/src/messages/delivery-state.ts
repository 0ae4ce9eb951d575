import type { DeliveryStateName } from '@waiver-service/api';
import { type RawBuilder, sql } from 'kysely';

/**
 * Joins the row `p` of a delivery `d` that is yet to be sent, and `e` of one that ended undelivered. The limits make
 * PostgreSQL look up each row by its key: with plain joins, a table that was empty when the statement was planned would
 * be scanned for every delivery.
 */
export const pendingAndEnded: RawBuilder<unknown> = sql`
left join lateral (
  select * from pending o where o.destination = d.destination and o.id = d.id and o.pool = d.pool limit 1) p on true
left join lateral (select * from ended o where o.id = d.id and o.pool = d.pool limit 1) e on true`;

/** Joins a delivery's destination `t` and {@link pendingAndEnded}. */
export const stateOfDelivery: RawBuilder<unknown> = sql`
join lateral (select * from destination o where o.id = d.destination limit 1) t on true ${pendingAndEnded}`;

/**
 * Whether a message is in the journal: claimed, and not known to have ended. Means nothing for a delivered one, whose
 * batch may still be there.
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

/** The attempts used, with {@link pendingAndEnded} joined; if delivered, counted from the log of attempts. */
export const attemptsUsed: RawBuilder<number> = sql`coalesce(p.attempts, e.attempts, (
  select count(*) from attempt a
  where a.delivery = d.id and (a.outcome in ('accepted', 'nothing-written')
    or a.trigger <> 'probe' and (a.outcome = 'refused' or a.outcome = 'in-doubt' and a.error_code is not null))))`;

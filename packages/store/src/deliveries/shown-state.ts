import { type RawBuilder, sql } from 'kysely';

/**
 * A delivery's state as it is shown: `sending` is claimed by a host, `held` waits at a paused destination. What waits
 * for a closed one is `cancelled`, also while it is still to be put down so.
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

/** The row `p` of a delivery `d` that is still to be sent, and `e` of one that ended without being delivered. */
export const pendingAndEnded: RawBuilder<unknown> = sql`
left join pending p on p.destination = d.destination and p.id = d.id and p.pool = d.pool
left join ended e on e.id = d.id and e.pool = d.pool`;

/** Its destination `t`, and {@link pendingAndEnded}. */
export const stateOfDelivery: RawBuilder<unknown> = sql`
join destination t on t.id = d.destination ${pendingAndEnded}`;

/**
 * Whether a claim took it that is not known to have ended. By itself it says nothing of one that was delivered: its
 * batch may stand in the journal for a while.
 */
export const isInJournal = (id: RawBuilder<string>): RawBuilder<boolean> => sql`
(${id} in (select u.id from journal j cross join unnest(j.ids) u (id)))`;

/** Whether a delivery is being sent, with {@link pendingAndEnded}: one that was superseded meanwhile may be. */
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

/** Attempts used, with {@link pendingAndEnded}; of a delivered one, as far as the log of attempts has them. */
export const attemptsUsed: RawBuilder<number> = sql`coalesce(p.attempts, e.attempts, (
  select count(*) from attempt a
  where a.delivery = d.id and (a.outcome in ('accepted', 'nothing-written')
    or a.trigger <> 'probe' and (a.outcome = 'refused' or a.outcome = 'in-doubt' and a.error_code is not null))))`;

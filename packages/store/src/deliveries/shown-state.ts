import { type RawBuilder, sql } from 'kysely';

/**
 * A delivery's state as it is shown: `sending` is in flight, `held` waits at a paused destination. What waits for a
 * closed one is `cancelled`, also while it is still to be put down so.
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

/** The lane `l` and the destination `t` of a delivery `d`. */
export const laneAndDestination: RawBuilder<unknown> = sql`
join destination t on t.id = d.destination
left join lane l on l.destination = d.destination and l.ordering_key = d.ordering_key and l.pool = d.pool`;

/** Whether a delivery `d` is in flight, its lane `l` joined. */
export const isInFlight: RawBuilder<boolean> = sql`(l.state = 'leased' and l.current = d.id)`;

/** The shown state of a delivery `d`, with {@link laneAndDestination} joined. */
export const shownState: RawBuilder<DeliveryStateName> = sql`case
  when d.state <> 'waiting' then d.state
  when ${isInFlight} then 'sending'
  when t.status = 'closed' then 'cancelled'
  when t.status = 'paused' then 'held'
  else 'waiting' end`;

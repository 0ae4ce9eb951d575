import { arrayOf, milliseconds, prepared } from '@waiver-service/database';
import { sql } from 'kysely';
import type { Database } from '../data/tables.ts';
import {
  type DestinationHealth,
  type PauseChange,
  type PausePolicy,
  recordHealth,
} from '../destinations/destination-health.ts';
import { type DestinationHold, holdDestinations, isHeld, makeDue } from '../destinations/destinations.ts';
import type { DestinationKind } from '../messages/delivery-types.ts';
import { type Withdrawal, withdrawalOf } from '../messages/withdrawals.ts';
import type { OutboxContext } from '../outbox-context.ts';
import { budgetColumns, roomOf, spentWithGranted, stepMs } from '../request-budgets.ts';
import { claim, claimProbes, type DestinationShare, findWork } from './claim.ts';
import { balanceShards, expireLeases, registerDispatcher, renewLease } from './dispatchers.ts';
import { deleteBatches, returnClaims, voidLostClaims } from './journal.ts';
import { recordAttempts } from './record-attempts.ts';
import { giveUp, takeOver } from './take-over.ts';

// A fifth of each window is reserved for calls that cannot wait: reads of bookings, and later requests of a begun push.
const oneOfWindowReserved = 5;

/** The requests that were reserved for a destination. */
export interface GrantedShare extends Pick<DestinationShare, 'destination' | 'slots'> {
  /** Milliseconds within which the request has to be sent: it counts from now on. */
  readonly sendWithinMs: number;
}

/**
 * Takes the first request of each message that may be sent to limited destinations from budgets that all hosts share (see
 * `budget.ts`). Takes no more than is due, leaves the reserved fifth of each window, and takes nothing while an urgent
 * call waits. Skips a budget that another host has locked, until the next call.
 *
 * @returns the shares that may be claimed, without destinations that got no request.
 */
async function takeFirstRequests(
  database: Database,
  shares: readonly DestinationShare[],
  retrying: boolean,
): Promise<GrantedShare[]> {
  if (shares.length === 0) return [];
  const destinations = shares.map(({ destination }) => destination);
  const slots = shares.map((share) => share.slots);
  const busy = shares.map(({ busyLanes }) => arrayOf(busyLanes));
  const { rows } = await sql<GrantedShare>`${prepared}
with asked as materialized (
  select a.destination, a.place, d.request_budget as id, a.slots, a.busy::integer[] as busy
  from unnest(${destinations}::text[], ${slots}::integer[], ${busy}::text[])
    with ordinality a (destination, slots, busy, place)
  join destination d on d.id = a.destination),
wanted as materialized (
  select a.destination, a.place, a.id, least(a.slots, due.messages) as messages from asked a
  cross join lateral (select count(*) as messages from (select from pending p where p.destination = a.destination
    and p.retrying = ${retrying}::boolean and p.due_at <= now() and p.lane <> all (a.busy) limit a.slots) p) due),
held as materialized (
  select ${budgetColumns} from request_budget r
  where r.id in (select w.id from wanted w where w.messages > 0)
  order by r.id for update of r skip locked),
returned as (select null::text as id, null::double precision as taken_ms, null::integer as requests where false),
${roomOf},
open as materialized (
  select h.id, min(r.left_over - r.requests / ${oneOfWindowReserved}::integer) as requests, min(r.window_ms) as window_ms
  from held h join locked l on l.id = h.id join room r on r.id = h.id
  where h.urgent_until_ms <= l.now_ms
  group by h.id),
shared as materialized (
  select w.destination, w.id, o.window_ms,
    least(w.messages, o.requests - (sum(w.messages) over (partition by w.id order by w.place) - w.messages)) as slots
  from wanted w join open o on o.id = w.id),
granted as materialized (
  select s.id, sum(s.slots)::integer as requests from shared s where s.slots > 0 group by s.id),
written as (
  update request_budget r set back_ms = k.back_ms, back_window_ms = k.back_window_ms, taken = k.taken
  from ${spentWithGranted} where r.id = k.id)
select s.destination, s.slots::integer as slots, ${stepMs(sql`s.window_ms`)} as send_within_ms
from shared s where s.slots > 0`.execute(database);
  return rows;
}

/**
 * Removes one small batch of attempts that are older than the retention. Several hosts may do so at once.
 *
 * @returns the number of removed attempts.
 */
function pruneAttempts(database: Database, retentionMs: number, limit: number): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    // The index by age can only be read by bitmap scans, which are disabled for the store's connections.
    await sql`set local enable_bitmapscan = on`.execute(transaction);
    const { rows } = await sql<{ pruned: number }>`
with old as materialized (
  select pool, delivery, at from attempt
  where at < now() - ${milliseconds(retentionMs)}
  limit ${limit}::integer for update skip locked),
pruned as (
  delete from attempt a using (select distinct delivery, at from old) o
  where a.delivery = o.delivery and a.at = o.at returning 1)
select count(*) as pruned from pruned`.execute(transaction);
    return rows[0]?.pruned ?? 0;
  });
}

/** The number of lanes with something to send. */
export interface LaneCount {
  readonly kind: DestinationKind;
  /** `held`: their destination is paused, asked for a hold with `Retry-After`, or has lost its authorization. */
  readonly state: 'waiting' | 'sending' | 'held';
  readonly lanes: number;
}

// Keeps the count cheap however long an outage lasts.
const maxCounted = 10_000;

/** Counts the lanes with something to send, among the first ten thousand messages. */
async function countLanes(database: Database): Promise<LaneCount[]> {
  const { rows } = await sql<LaneCount>`${prepared}
with sent as materialized (
  select distinct d.destination, d.ordering_key from journal j cross join unnest(j.ids) u (id)
  join delivery d on d.id = u.id
  where exists (select from pending p where p.destination = d.destination and p.id = d.id and p.pool = d.pool)
    or exists (select from ended e where e.id = d.id and e.pool = d.pool and e.state = 'superseded')),
waiting as materialized (
  select distinct destination, ordering_key from (
    select destination, ordering_key from pending limit ${maxCounted}::integer) p
  except select destination, ordering_key from sent)
select t.kind, l.state, count(*) as lanes
from (
  select s.destination, 'sending' as state from sent s
  union all
  select w.destination, case when t.status = 'paused' or ${isHeld} then 'held' else 'waiting' end
  from waiting w join destination t on t.id = w.destination and t.status <> 'closed') l
join destination t on t.id = l.destination
group by t.kind, l.state`.execute(database);
  return rows;
}

/** Called after commits on any host. */
export interface OutboxListener {
  /** There may be something to send. */
  onWake(): void;
  /** Part of a claimed message was withdrawn; undefined if it may be any, since notifications may have been lost. */
  onWithdrawn?(withdrawal: Withdrawal | undefined): void;
  /** Shards are free, or must be rebalanced. */
  onShardsChanged?(): void;
}

/** The outbox for dispatchers. Several hosts can use it on one database at once. */
export interface Outbox extends ReturnType<typeof createOutbox> {}

export interface OutboxOptions extends OutboxContext {
  /** Called when destinations are held. */
  onHeld(): void;
  /** Called with the number of attempts that were removed. */
  onPruned(attempts: number): void;
}

/** Creates the outbox. Its functions are documented where they are defined. */
export function createOutbox(context: OutboxOptions) {
  const { database, notifications } = context;
  return {
    registerDispatcher: registerDispatcher.bind(undefined, database),
    renewLease: renewLease.bind(undefined, database),
    expireLease: (dispatcher: string) => expireLeases(database, dispatcher),
    balanceShards: balanceShards.bind(undefined, database),
    findWork: findWork.bind(undefined, database),
    takeFirstRequests: takeFirstRequests.bind(undefined, database),
    claim: claim.bind(undefined, context),
    claimProbes: claimProbes.bind(undefined, context),
    takeOver: takeOver.bind(undefined, context),
    giveUp: giveUp.bind(undefined, context),
    returnClaims: returnClaims.bind(undefined, database),
    deleteBatches: deleteBatches.bind(undefined, database),
    voidLostClaims: voidLostClaims.bind(undefined, database),
    countLanes: countLanes.bind(undefined, database),

    record: recordAttempts.bind(undefined, context),

    async hold(holds: readonly DestinationHold[]): Promise<void> {
      if (holds.length === 0) return;
      await holdDestinations(database, holds);
      context.onHeld();
    },

    /** Also makes the messages of resumed destinations due. */
    async recordHealth(health: readonly DestinationHealth[], policy: PausePolicy): Promise<PauseChange[]> {
      const changes = await recordHealth(context, health, policy);
      for (const { destination, change } of changes) {
        if (change === 'resumed') await makeDue(database, destination);
      }
      return changes;
    },

    async pruneAttempts(retentionMs: number, limit: number): Promise<number> {
      const count = await pruneAttempts(database, retentionMs, limit);
      context.onPruned(count);
      return count;
    },

    /** Calls the listener after commits; `onWake` is only a hint in addition to polling. */
    listen({ onWake, onWithdrawn, onShardsChanged }: OutboxListener): { close(): Promise<void> } {
      const stops = [
        notifications.listen('outbox', () => onWake()),
        notifications.listen('withdrawals', (payload) => onWithdrawn?.(withdrawalOf(payload))),
        notifications.listen('shards', () => onShardsChanged?.()),
      ];
      return {
        async close() {
          for (const stop of stops) stop();
          // It will miss later withdrawals.
          onWithdrawn?.(undefined);
        },
      };
    },
  };
}

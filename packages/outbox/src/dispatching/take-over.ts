import { rowsOf } from '@waiver-service/database';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../data/tables.ts';
import type { LossDecision } from '../messages/delivery-types.ts';
import { deadLettersOf, type OutboxContext } from '../outbox-context.ts';
import { freeShards } from './dispatchers.ts';

type Context = Pick<OutboxContext, 'database' | 'report'>;

/** Decides on a message by the number of consecutive leases that it lost before this one. */
export type DecideLoss = (lostBefore: number) => LossDecision;

/** A message whose attempt is not recorded. */
interface Lost {
  readonly id: string;
  /** When it was claimed. */
  readonly at: Date;
}

/**
 * Takes over from dispatchers whose leases expired, because their process ended or stalled. Puts their messages in flight
 * in doubt: each is sent again, with the same body, before anything newer. Uses no attempt. Frees their shards.
 *
 * Skips a dispatcher that is recording or claiming, whose row is therefore locked, until the next call.
 *
 * @returns the number of messages in doubt.
 */
export function takeOver({ database, report }: Context, decide: DecideLoss): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { rows: gone } = await sql<{ id: string }>`
delete from dispatcher where id in (
  select id from dispatcher where lease_until <= now() order by id for update skip locked)
returning id`.execute(transaction);
    if (gone.length === 0) return 0;
    const dispatchers = gone.map(({ id }) => id);
    // A separate statement, so that its snapshot includes every claim that committed before the rows were locked.
    const { rows: lost } = await sql<Lost>`
with deleted as (delete from journal where dispatcher = any (${dispatchers}::uuid[]) returning at, ids)
select distinct on (u.id) u.id, s.at from deleted s cross join unnest(s.ids) u (id)
order by u.id, s.at desc`.execute(transaction);
    const doubted = await putInDoubt(transaction, lost, decide, report);
    await freeShards(transaction, dispatchers);
    return doubted;
  });
}

/** A message whose attempt cannot be recorded. */
export interface LostAttempt extends Lost {
  /** The claim that took it. */
  readonly batch: number;
}

/** Puts one sent message in doubt, as a takeover would, because its attempt cannot be recorded. */
export function giveUp(
  { database, report }: Context,
  dispatcher: string,
  { id, at, batch }: LostAttempt,
  decide: DecideLoss,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql`
update journal j set ids = array_remove(j.ids, ${id}::uuid)
from (select d.id from dispatcher d where d.id = ${dispatcher}::uuid for key share) f
where j.dispatcher = f.id and j.batch = ${batch}::bigint and ${id}::uuid = any (j.ids)
returning 1`.execute(transaction);
    return rows.length === 0 ? 0 : putInDoubt(transaction, [{ id, at }], decide, report);
  });
}

interface Doubted {
  readonly id: string;
  readonly pool: string;
  readonly destination: string;
  readonly lostLeases: number;
  readonly manual: boolean;
  readonly at: Date;
}

/** The messages that are still to be sent, and those that were superseded while they were being sent. */
async function lockLost(
  transaction: DatabaseTransaction,
  lost: readonly Lost[],
): Promise<{ readonly waiting: readonly Doubted[]; readonly superseded: readonly Doubted[] }> {
  const rows = lost.map(({ id, at }) => ({ id, at: at.toISOString() }));
  const found = sql`${rowsOf(rows, 'l', { id: 'uuid', at: 'timestamptz' })} join delivery d on d.id = l.id`;
  const { rows: waiting } = await sql<Doubted>`
select p.id, p.pool, p.destination, p.lost_leases, p.manual, l.at from ${found}
join pending p on p.destination = d.destination and p.id = d.id and p.pool = d.pool
order by p.id for update of p`.execute(transaction);
  const { rows: superseded } = await sql<Doubted>`
select e.id, e.pool, d.destination, 0 as lost_leases, false as manual, l.at from ${found}
join ended e on e.id = d.id and e.pool = d.pool and e.state = 'superseded'
order by e.id for update of e`.execute(transaction);
  return { waiting, superseded };
}

async function putInDoubt(
  transaction: DatabaseTransaction,
  lost: readonly Lost[],
  decide: DecideLoss,
  report: OutboxContext['report'],
): Promise<number> {
  if (lost.length === 0) return 0;
  const { waiting, superseded } = await lockLost(transaction, lost);
  const doubted = [...waiting, ...superseded];
  if (doubted.length === 0) return 0;
  const rows = doubted.map(({ id, pool, destination, lostLeases, manual, at }) => {
    const decision = decide(lostLeases);
    const waitMs = decision.kind === 'retry' ? decision.waitMs : 0;
    const isDead = decision.kind === 'dead';
    return { id, pool, destination, manual, at: at.toISOString(), isDead, waitMs };
  });
  await sql`
with lost as materialized (
  select * from ${rowsOf(rows, 'l', {
    id: 'uuid',
    pool: 'text',
    destination: 'text',
    manual: 'boolean',
    at: 'timestamptz',
    isDead: 'boolean',
    waitMs: 'double precision',
  })}),
doubted as (
  update pending p set in_doubt = true, retrying = true, lost_leases = p.lost_leases + 1,
    due_at = now() + l.wait_ms * interval '1 millisecond'
  from lost l where p.destination = l.destination and p.id = l.id and p.pool = l.pool and not l.is_dead),
dead as (
  delete from pending p using lost l
  where p.destination = l.destination and p.id = l.id and p.pool = l.pool and l.is_dead
  returning p.destination, p.id, p.pool, p.attempts),
buried as (
  insert into ended (id, pool, state, attempts) select id, pool, 'dead', attempts from dead),
returned as (
  delete from ended e using lost l where e.id = l.id and e.pool = l.pool and e.state = 'superseded'
  returning e.id, e.pool, e.sequence, e.attempts, l.wait_ms),
waiting_again as (
  insert into pending (destination, id, pool, ordering_key, sequence, waiver_id, booking_id, takeback, due_at,
    retrying, in_doubt, attempts, lost_leases)
  select d.destination, d.id, d.pool, d.ordering_key, r.sequence, d.waiver_id, d.booking_id, d.takeback,
    now() + r.wait_ms * interval '1 millisecond', true, true, r.attempts, 1
  from returned r join delivery d on d.id = r.id and d.pool = r.pool)
insert into attempt (pool, delivery, at, duration_ms, outcome, trigger)
select l.pool, l.id, l.at, extract(epoch from now() - l.at) * 1000, 'in-doubt',
  case when l.manual then 'manual' else 'schedule' end
from lost l`.execute(transaction);
  const dead = waiting.filter(({ lostLeases }) => decide(lostLeases).kind === 'dead');
  await report(transaction, deadLettersOf(dead));
  return doubted.length;
}

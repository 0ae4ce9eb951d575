import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { eraseAttemptAnswers } from './erase-attempt-answers.ts';

// Small, so that no transaction is long.
const maxLanesPerBatch = 500;

interface Batch {
  /** The last lane that was looked at, null where there was none. */
  readonly last: string | null;
  readonly lanes: number;
  /** Lanes that are being sent, or are locked at this moment. */
  readonly busy: number;
}

/**
 * Cancels what waits in some lanes of a closed destination, from one lane on. A lane whose delivery is in flight is
 * left: what it comes to is recorded, and a later batch ends the lane.
 *
 * Lanes by their key, then deliveries by their ids: `is not distinct from` keeps PostgreSQL from the partial indexes of
 * all that is ready or waits, which one destination can fill.
 */
async function cancelLanes(database: Database, destination: string, after: string): Promise<Batch> {
  const { rows } = await sql<Batch>`${prepared}
with scanned as materialized (
  select l.pool, l.ordering_key, l.state from lane l
  where l.destination = ${destination} and l.ordering_key > ${after}
  order by l.ordering_key limit ${maxLanesPerBatch}::integer),
free as materialized (
  select l.pool, l.ordering_key, l.done_sequence from scanned s
  join lane l on l.destination = ${destination} and l.ordering_key = s.ordering_key and l.pool = s.pool
  where s.state = 'ready' and l.state is not distinct from 'ready'
  order by l.ordering_key for update of l skip locked),
waiting as materialized (
  select d.pool, d.id from free f cross join lateral (
    select d.pool, d.id from delivery d
    where d.destination = ${destination} and d.ordering_key = f.ordering_key and d.pool = f.pool
      and d.state = 'waiting' and d.sequence > f.done_sequence
    order by d.sequence offset 0) d),
cancelled as (
  update delivery d set state = 'cancelled' from waiting w
  where d.id = w.id and d.pool = w.pool and d.state is not distinct from 'waiting'),
freed as (
  update lane l set state = 'idle', done_sequence = last_sequence, current = null, retrying = false, manual = false,
    lost_leases = 0, faults = 0
  from free f where l.destination = ${destination} and l.ordering_key = f.ordering_key and l.pool = f.pool
  returning 1)
select (select max(ordering_key) from scanned) as last, (select count(*) from scanned) as lanes,
  (select count(*) from scanned where state <> 'idle') - (select count(*) from freed) as busy`.execute(
    database,
  );
  return rows[0] ?? { last: null, lanes: 0, busy: 0 };
}

async function nextCancelling(database: Database, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
select id from destination where cancelling order by id <= ${after}, id limit 1`.execute(database);
  return rows[0]?.id;
}

/**
 * The job that cancels what waited for destinations that were closed. It goes through the lanes of one destination by
 * their keys; a pass that finds none in use is the last one, since none of a closed destination comes into use again.
 * Where it stands is not stored: after a crash, or on another host, a pass begins anew and finds idle what was done.
 */
export function createCancelJob(database: Database): BackgroundJob {
  let destination: string | undefined;
  let before = '';
  let after = '';
  let busy = 0;

  return {
    name: 'cancelling what waited for a closed destination',
    async runBatch() {
      if (destination === undefined) {
        destination = await nextCancelling(database, before);
        [after, busy] = ['', 0];
        if (destination === undefined) return false;
      }
      const batch = await cancelLanes(database, destination, after);
      busy += batch.busy;
      after = batch.last ?? after;
      if (batch.lanes === maxLanesPerBatch) return true;
      if (busy === 0) {
        // From now on no attempt is recorded.
        await eraseAttemptAnswers(database, destination);
        await sql`update destination set cancelling = false where id = ${destination} and status = 'closed'`.execute(
          database,
        );
      }
      const isDone = busy === 0;
      [before, destination] = [destination, undefined];
      // What is in use takes its time; the next round is soon enough.
      return isDone;
    },
  };
}

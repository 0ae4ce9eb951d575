import { prepared, rowsOf } from '@waiver-service/database';
import { sql } from 'kysely';
import type { Database } from '../data/tables.ts';
import type { FinishedDelivery } from '../messages/delivery-types.ts';
import { durationOf, warningsOf } from './attempt-values.ts';
import { fence } from './dispatchers.ts';

/** Nearly all attempts are accepted with the same few responses, so each distinct response is sent once. */
function acceptedRows(accepted: readonly FinishedDelivery[]) {
  const answers: { status: number | null; trigger: string; warnings: string | null }[] = [];
  const numbers = new Map<string, number>();
  const rows = accepted.map(({ id, pool, destination, attempt }) => {
    const warnings = warningsOf(attempt);
    const key = `${attempt.status} ${attempt.trigger} ${warnings}`;
    const known = numbers.get(key);
    const answer = known ?? answers.length;
    if (known === undefined) {
      answers.push({ status: attempt.status ?? null, trigger: attempt.trigger, warnings });
      numbers.set(key, answer);
    }
    return { id, pool, destination, at: attempt.at.toISOString(), durationMs: durationOf(attempt), answer };
  });
  const numbered = answers.map((answer, number) => ({ number, ...answer }));
  return sql`
result as materialized (
  select r.id, r.pool, r.destination, r.at, r.duration_ms, a.status, a.trigger, a.warnings
  from ${rowsOf(rows, 'r', {
    id: 'uuid',
    pool: 'text',
    destination: 'text',
    at: 'timestamptz',
    durationMs: 'integer',
    answer: 'integer',
  })}
  join ${rowsOf(numbered, 'a', { number: 'integer', status: 'integer', trigger: 'text', warnings: 'text' })}
    on a.number = r.answer)`;
}

const logAccepted = sql`
insert into attempt (pool, delivery, at, duration_ms, outcome, status, trigger, warnings)
select r.pool, r.id, r.at, r.duration_ms, 'accepted', r.status, r.trigger, r.warnings`;

/**
 * Records accepted attempts; none if another dispatcher has taken over.
 *
 * @returns the recorded deliveries.
 */
export async function recordAccepted(
  database: Database,
  dispatcher: string,
  accepted: readonly FinishedDelivery[],
): Promise<readonly FinishedDelivery[]> {
  if (accepted.length === 0) return accepted;
  const { rows } = await sql<{ recorded: number; ids: string[] | null }>`${prepared}
with ${fence(dispatcher)},
${acceptedRows(accepted)},
gone as (
  -- Looked up one by one in the order of the ids, which is the lock order.
  delete from pending p using (select * from result where exists (select from fence) order by id offset 0) r
  where p.destination = r.destination and p.id = r.id and p.pool = r.pool
  returning r.*),
logged as (${logAccepted} from gone r)
-- Nearly always all are recorded: returning the ids would cost as much as passing them in.
select count(*)::integer as recorded,
  case when count(*) < ${accepted.length}::integer then array_agg(id::text) end as ids
from gone`.execute(database);
  const { recorded = 0, ids = [] } = rows[0] ?? {};
  if (recorded === accepted.length) return accepted;
  const known = new Set(ids);
  const left = accepted.filter(({ id }) => !known.has(id));
  const superseded = await recordSuperseded(database, dispatcher, left);
  return accepted.filter(({ id }) => known.has(id) || superseded.has(id));
}

/**
 * Records those accepted attempts whose messages were superseded or cancelled while being sent. They count as delivered.
 */
async function recordSuperseded(
  database: Database,
  dispatcher: string,
  accepted: readonly FinishedDelivery[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`${prepared}
with ${fence(dispatcher)},
${acceptedRows(accepted)},
gone as (
  delete from ended e using result r, fence
  where e.id = r.id and e.pool = r.pool and e.state in ('superseded', 'cancelled')
  returning r.*),
logged as (${logAccepted} from gone r)
select id from gone`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

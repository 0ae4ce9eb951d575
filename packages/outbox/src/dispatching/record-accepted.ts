import { prepared, rowsOf } from '@waiver-service/database';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../data/tables.ts';
import type { AttemptRecord, FinishedDelivery } from '../messages/delivery-types.ts';
import { fence } from './dispatchers.ts';

const maxResponseCharacters = 4_096;
const maxDurationMs = 2_147_483_647;

/** Shortens text and makes it storable in PostgreSQL: a partner's response may contain anything. */
export const storable = (text: string) =>
  text.slice(0, maxResponseCharacters).replaceAll('\u0000', '\uFFFD').toWellFormed();

export const warningsOf = ({ warnings }: AttemptRecord) =>
  warnings === undefined ? null : JSON.stringify(warnings);

/** The duration of an attempt in whole milliseconds, within the range of the column. */
export const durationOf = ({ durationMs }: AttemptRecord) =>
  Math.min(Math.max(0, Math.round(durationMs)), maxDurationMs);

/**
 * The CTE `result` of accepted attempts, in order. Nearly all are accepted with the same few responses, so each distinct
 * response is sent once; times are passed as milliseconds after the first, which PostgreSQL reads faster.
 */
function acceptedRows(accepted: readonly FinishedDelivery[]): RawBuilder<unknown> {
  const answers: { status: number | null; trigger: string; warnings: string | null }[] = [];
  const numbers = new Map<string, number>();
  const startedAt = Math.min(...accepted.map(({ attempt }) => attempt.at.getTime()));
  const rows = accepted.map(({ sequence, rowId, attempt }) => {
    const warnings = warningsOf(attempt);
    const key = `${attempt.status} ${attempt.trigger} ${warnings}`;
    const known = numbers.get(key);
    const answer = known ?? answers.length;
    if (known === undefined) {
      answers.push({ status: attempt.status ?? null, trigger: attempt.trigger, warnings });
      numbers.set(key, answer);
    }
    const afterMs = attempt.at.getTime() - startedAt;
    return { sequence, rowId, afterMs, durationMs: durationOf(attempt), answer };
  });
  const numbered = answers.map((answer, number) => ({ number, ...answer }));
  return sql`
result as materialized (
  select r.sequence, r.row_id, ${new Date(startedAt)}::timestamptz + r.after_ms * interval '1 millisecond' as at,
    r.duration_ms, a.status, a.trigger, a.warnings
  from ${rowsOf(rows, 'r', {
    sequence: 'bigint',
    rowId: 'tid',
    afterMs: 'double precision',
    durationMs: 'integer',
    answer: 'integer',
  })}
  join ${rowsOf(numbered, 'a', { number: 'integer', status: 'integer', trigger: 'text', warnings: 'text' })}
    on a.number = r.answer)`;
}

const logAccepted = sql`
logged as (
  insert into attempt (pool, delivery, at, duration_ms, outcome, status, trigger, warnings)
  select g.pool, g.id, g.at, g.duration_ms, 'accepted', g.status, g.trigger, g.warnings from gone g)`;

/**
 * Records accepted attempts; none if another dispatcher has taken over. A message is found by the place of its row, which
 * is twice as fast as by its key; one whose row has changed since the claim is found afterwards.
 *
 * @returns the recorded deliveries.
 */
export async function recordAccepted(
  database: Database,
  dispatcher: string,
  accepted: readonly FinishedDelivery[],
): Promise<readonly FinishedDelivery[]> {
  if (accepted.length === 0) return accepted;
  // Rows are locked in the order of their ids.
  const inOrder = accepted.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const { rows } = await sql<{ recorded: number; sequences: string[] | null }>`${prepared}
with ${fence(dispatcher)},
${acceptedRows(inOrder)},
gone as (
  delete from pending p using (select * from result where exists (select from fence) offset 0) r
  where p.ctid = r.row_id and p.sequence = r.sequence
  returning p.pool, p.id, r.*),
${logAccepted}
-- Nearly always all are recorded: returning them would cost as much as passing them in.
select count(*)::integer as recorded,
  case when count(*) < ${accepted.length}::integer then array_agg(sequence::text) end as sequences
from gone`.execute(database);
  const { recorded = 0, sequences } = rows[0] ?? {};
  if (recorded === accepted.length) return accepted;
  const known = new Set(sequences?.map(Number));
  const left = inOrder.filter(({ sequence }) => !known.has(sequence));
  const changed = await recordChanged(database, dispatcher, left);
  return accepted.filter(({ id, sequence }) => known.has(sequence) || changed.has(id));
}

/**
 * Records those accepted attempts whose messages were made due, superseded, cancelled or reopened while being sent. They
 * count as delivered.
 */
async function recordChanged(
  database: Database,
  dispatcher: string,
  accepted: readonly FinishedDelivery[],
): Promise<ReadonlySet<string>> {
  const keys = accepted.map(({ sequence, id, pool, destination }) => ({ sequence, id, pool, destination }));
  const { rows } = await sql<{ id: string }>`${prepared}
with ${fence(dispatcher)},
${acceptedRows(accepted)},
sent as materialized (
  select k.pool, k.id, k.destination, r.at, r.duration_ms, r.status, r.trigger, r.warnings
  from ${rowsOf(keys, 'k', { sequence: 'bigint', id: 'uuid', pool: 'text', destination: 'text' })}
  join result r on r.sequence = k.sequence
  where exists (select from fence)),
no_longer_ended as (
  delete from ended e using sent s
  where e.id = s.id and e.pool = s.pool and e.state in ('superseded', 'cancelled')
  returning s.*),
no_longer_waiting as (
  delete from pending p using (select * from sent order by id offset 0) s
  where p.destination = s.destination and p.id = s.id and p.pool = s.pool
  returning s.*),
gone as (select * from no_longer_ended union all select * from no_longer_waiting),
${logAccepted}
select id from gone`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

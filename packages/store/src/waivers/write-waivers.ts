import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import { rowsOf } from '../database/rows-of.ts';
import { enqueue } from '../outbox/enqueue.ts';
import type { PlannedMessage } from './plan-messages.ts';
import type { WaiverState } from './waiver-record.ts';
import { columnsOf } from './waiver-row.ts';

/** What a statement that writes waivers did. */
export interface Written {
  /** The waivers that were written. */
  readonly changed: readonly string[];
  readonly enqueued: number;
}

const nothing: Written = { changed: [], enqueued: 0 };

const result = sql`
select (select coalesce(array_agg(id), '{}') from changed) as changed, (select count(*) from enqueued) as enqueued`;

/** Stores a new record and its messages, in one statement. Nothing is changed where its id is taken. */
export async function insertWaiver(
  database: Database,
  state: WaiverState,
  contentHash: Buffer,
  messages: readonly PlannedMessage[],
): Promise<Written> {
  const row = columnsOf(state);
  const { rows } = await sql<Written>`${prepared}
with identified as (
  insert into waiver_id (id, pool) values (${row.id}, ${row.pool}) on conflict (id) do nothing returning id),
changed as (
  insert into waiver (pool, id, version, booking_system, booking_id, booking_guest_id, activities, last_visit,
    last_visit_source, current_page, answers, deleted, content_hash, created_at, updated_at)
  select ${row.pool}, id, ${row.version}::integer, ${row.booking_system}, ${row.booking_id}, ${row.booking_guest_id},
    ${row.activities}::text[], ${row.last_visit}::timestamptz, ${row.last_visit_source}, ${row.current_page},
    ${row.answers}, ${row.deleted}::boolean, ${contentHash}::bytea, ${row.created_at}::timestamptz,
    ${row.updated_at}::timestamptz
  from identified
  returning pool, id),
${enqueue(messages)}
${result}`.execute(database);
  return rows[0] ?? nothing;
}

/** A record's next state, and the version that it was worked out from. */
export interface WaiverStep {
  readonly formerVersion: number;
  readonly next: WaiverState;
}

/**
 * Stores next states and their messages, in one statement. A record that has another version by now is left alone
 * and sends nothing; so is one that another transaction has locked: one that is held up does not hold up the others.
 */
export async function updateWaivers(
  database: Database,
  steps: readonly WaiverStep[],
  messages: readonly PlannedMessage[],
): Promise<Written> {
  const rows = steps.map(({ formerVersion, next }) => ({
    ...columnsOf(next),
    // An array of arrays would have to be as long as it is wide.
    activities: JSON.stringify(next.activities),
    former_version: formerVersion,
  }));
  const pools = steps.map(({ next }) => next.pool);
  const ids = steps.map(({ next }) => next.id);
  const versions = steps.map(({ formerVersion }) => formerVersion);
  const { rows: written } = await sql<Written>`${prepared}
with step as (
  select * from ${rowsOf(rows, 's', {
    ...{ pool: 'text', id: 'text', former_version: 'integer', version: 'integer', booking_system: 'text' },
    ...{ booking_id: 'text', booking_guest_id: 'text', activities: 'text', last_visit: 'timestamptz' },
    ...{ last_visit_source: 'text', current_page: 'text', answers: 'text', deleted: 'boolean' },
    ...{ created_at: 'timestamptz', updated_at: 'timestamptz' },
  })}),
free as materialized (
  select w.pool, w.id from unnest(${pools}::text[], ${ids}::text[], ${versions}::integer[]) k (pool, id, version)
  join waiver w on w.pool = k.pool and w.id = k.id and w.version = k.version
  order by w.pool, w.id for no key update of w skip locked),
changed as (
  update waiver w set version = s.version, booking_system = s.booking_system, booking_id = s.booking_id,
    booking_guest_id = s.booking_guest_id,
    activities = array(select json_array_elements_text(s.activities::json)), last_visit = s.last_visit,
    last_visit_source = s.last_visit_source, current_page = s.current_page, answers = s.answers,
    deleted = s.deleted, updated_at = s.updated_at, changed_in = pg_current_xact_id()
  from free f join step s on s.pool = f.pool and s.id = f.id
  where w.pool = f.pool and w.id = f.id and w.version = s.former_version
  returning w.pool, w.id),
${enqueue(messages)}
${result}`.execute(database);
  return written[0] ?? nothing;
}

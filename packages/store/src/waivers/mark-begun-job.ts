import type { BackgroundJob } from '@waiver-service/database';
import { periodicJob, retryDeadlock } from '@waiver-service/database';
import { cancelMessages } from '@waiver-service/outbox';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

const maxBatchSize = 50;

/**
 * The job that marks what guests have begun on hosts of an earlier version, which told the booking systems. Messages that
 * still wait to do so are cancelled.
 */
export function createMarkBegunJob(database: Database, intervalMs: number): BackgroundJob {
  return periodicJob({
    name: 'marking begun waivers',
    intervalMs,
    runBatch: () =>
      retryDeadlock(() =>
        database.transaction().execute(async (transaction) => {
          const { rows } = await sql<{ pool: string; id: string }>`
with due as materialized (
  select w.pool, w.id from waiver w
  where not w.deleted and w.current_page is not null and w.signing is null and w.erasure is null
    and case w.begun when 'told' then false
      when 'untold' then exists (
        select from delivery d where d.pool = w.pool and d.waiver_id = w.id and d.kind = 'guest-update'
          and not d.takeback and d.booking_id = w.booking_id)
      else exists (
        select from waiver_version v where v.pool = w.pool and v.waiver_id = w.id and v.version = 1
          and v.actor like 'check-in-link:%') end
  limit ${maxBatchSize}::integer for no key update of w skip locked)
update waiver w set begun = 'told' from due d where w.pool = d.pool and w.id = d.id
returning w.pool, w.id`.execute(transaction);
          if (rows.length === 0) return false;
          await cancelMessages(
            transaction,
            sql`select d.destination, d.id, d.pool from
unnest(${rows.map(({ pool }) => pool)}::text[], ${rows.map(({ id }) => id)}::text[]) w (pool, id)
join delivery d on d.pool = w.pool and d.waiver_id = w.id and d.kind = 'guest-update' and not d.takeback`,
          );
          return rows.length === maxBatchSize;
        }),
      ),
  });
}

import { sql } from 'kysely';
import type { BackgroundJob } from '../background/background-jobs.ts';
import { periodicJob } from '../background/periodic-job.ts';
import type { Database } from '../database/database.ts';

const maxBatchSize = 500;

/** A day's messages are kept at least until the day is over in every time zone, so that none is sent twice. */
const isOver = sql`day < current_date - 2`;

/** The job that removes messages to guests past the retention of ended deliveries, plans of past days, and expired blocks. */
export function createPruneInvitationsJob(
  database: Database,
  { retentionMs, intervalMs }: { readonly retentionMs: number; readonly intervalMs: number },
): BackgroundJob {
  return periodicJob({
    name: 'pruning invitations',
    intervalMs,
    async runBatch() {
      const { numAffectedRows: messages = 0n } = await sql`
delete from invitation where id in (
  select id from invitation
  where created_at < now() - ${retentionMs}::double precision * interval '1 millisecond' and ${isOver}
  limit ${maxBatchSize}::integer for update skip locked)`.execute(database);
      const { numAffectedRows: copies = 0n } = await sql`
delete from copy_mail where id in (
  select id from copy_mail
  where created_at < now() - ${retentionMs}::double precision * interval '1 millisecond'
    and created_at < now() - interval '2 days'
  limit ${maxBatchSize}::integer for update skip locked)`.execute(database);
      const { numAffectedRows: plans = 0n } = await sql`
delete from invitation_plan where (pool, booking_system, booking_id) in (
  select pool, booking_system, booking_id from invitation_plan where ${isOver}
  limit ${maxBatchSize}::integer for update skip locked)`.execute(database);
      const { numAffectedRows: blocks = 0n } = await sql`
delete from invitation_block b where (pool, booking_system, booking_id, guest) in (
  select pool, booking_system, booking_id, guest from invitation_block o
  where o.prune_at < now() and not exists (
    select from upcoming_booking u
    where u.pool = o.pool and u.booking_system = o.booking_system and u.booking_id = o.booking_id)
  limit ${maxBatchSize}::integer for update skip locked)`.execute(database);
      return [messages, copies, plans, blocks].includes(BigInt(maxBatchSize));
    },
  });
}

import { type BackgroundJob, milliseconds, periodicJob, retryDeadlock } from '@waiver-service/database';
import {
  announceChanges,
  type ChangeParts,
  changeInTransaction,
  type Database,
  type FeatureData,
  isBegun,
  isOfSameGuest,
} from '@waiver-service/store/features';
import { draftEnd } from '@waiver-service/waivers';
import { sql } from 'kysely';
import { revokeGuestLinks, revokeLinksOf } from './check-in-links.ts';
import { createSealJob } from './evidence-chain.ts';
import { encryptedColumns, migrations } from './tables.ts';

const maxBatchSize = 100;

/** The job that erases expired health answers; the rest of the signed record still verifies. */
function createExpireAnswersJob(database: Database, intervalMs: number): BackgroundJob {
  return periodicJob({
    name: 'erasing health answers',
    intervalMs,
    async runBatch() {
      const { rows } = await sql`
select erase_signing_entries(due.pool, due.signing, null, false, false)
from (
  select e.pool, e.signing from signing_entry e where e.erase_at <= now()
  group by e.pool, e.signing limit ${maxBatchSize}::integer) due`.execute(database);
      return rows.length === maxBatchSize;
    },
  });
}

const maxBegunAtOnce = 50;

/** Links may end at any minute, and staff look at what guests have begun. */
const maxIntervalMs = 60_000;

interface BegunWaiver {
  readonly pool: string;
  readonly id: string;
}

/** Its guest has signed elsewhere, its link has ended, or its visit and its last page are a day ago. */
const isOver = sql`(
  l.id is null or l.revoked_at is not null or l.expires_at <= now()
  or greatest(w.last_visit, w.updated_at) < now() - interval '1 day'
  or exists (
    select from waiver s where ${isOfSameGuest('w')} and not s.deleted and s.erasure is null and s.current_page is null))`;

async function findOver(database: Database): Promise<readonly BegunWaiver[]> {
  const { rows } = await sql<BegunWaiver>`
select w.pool, w.id from waiver w
left join waiver_version v on v.pool = w.pool and v.waiver_id = w.id and v.version = 1
left join check_in_link l on l.id = substr(v.actor, length('check-in-link:') + 1) collate "C"
where ${isBegun} and ${isOver}
order by w.pool, w.id limit ${maxBegunAtOnce}::integer`.execute(database);
  return rows;
}

/** The job that voids what guests have begun on the check-in page once they will not sign it any more. */
export function createEndBegunJob(
  database: Database,
  { hashEmail, onWritten, onWithdrawn }: ChangeParts,
  intervalMs: number,
): BackgroundJob {
  const by = { id: 'check-in', name: null };
  return periodicJob({
    name: 'ending begun waivers',
    intervalMs: Math.min(intervalMs, maxIntervalMs),
    async runBatch() {
      const over = await findOver(database);
      for (const { pool, id } of over) {
        const change = await retryDeadlock(() =>
          database
            .transaction()
            .execute((transaction) =>
              changeInTransaction(transaction, { pool, id, by, draft: draftEnd }, hashEmail),
            ),
        );
        if (change.hasWithdrawn) onWithdrawn(id);
        if (change.written) onWritten(change.written);
      }
      return over.length === maxBegunAtOnce;
    },
  });
}

/** The tables of forms, links and signings, and the jobs that seal, expire and end them. */
export const signingData: FeatureData = {
  migrations,
  encryptedColumns,
  onUninstall: revokeLinksOf,
  onVoided: revokeGuestLinks,
  retention: ({ deliveryRetentionMs }) => [
    { table: 'check_in_link', maxBatchSize: 500, isOver: sql`t.prune_at < now()` },
    { table: 'returning_code', maxBatchSize: 500, isOver: sql`t.created_at < now() - interval '2 hours'` },
    { table: 'guest_budget', maxBatchSize: 500, isOver: sql`t.day < current_date - 1` },
    { table: 'mail_budget', maxBatchSize: 500, isOver: sql`t.day < current_date - 1` },
    // Waiting for staff longer than their pool keeps waivers.
    {
      table: 'late_signing',
      maxBatchSize: 500,
      isOver: sql`t.received_at < now() - interval '24 hours' * (
        select p.retention_waivers_days from pool p where p.id = t.pool)`,
    },
    {
      table: 'copy_mail',
      maxBatchSize: 500,
      isOver: sql`t.created_at < now() - ${milliseconds(deliveryRetentionMs)} and t.created_at < now() - interval '2 days'`,
    },
  ],
  jobs: (context, { pruneIntervalMs }) => [
    createSealJob(context),
    createExpireAnswersJob(context.database, pruneIntervalMs),
    createEndBegunJob(context.database, announceChanges(context), pruneIntervalMs),
  ],
};

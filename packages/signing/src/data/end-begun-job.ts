import { type BackgroundJob, periodicJob, retryDeadlock } from '@waiver-service/database';
import {
  type ChangeParts,
  changeInTransaction,
  type Database,
  isBegun,
  isOfSameGuest,
} from '@waiver-service/store/features';
import { draftEnd } from '@waiver-service/waivers';
import { sql } from 'kysely';

const maxBatchSize = 50;

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
order by w.pool, w.id limit ${maxBatchSize}::integer`.execute(database);
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
      return over.length === maxBatchSize;
    },
  });
}

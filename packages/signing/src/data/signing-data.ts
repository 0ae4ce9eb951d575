import type { FeatureData } from '@waiver-service/store/features';
import { announceChanges } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { revokeGuestLinks, revokeLinksOf } from './check-in-links.ts';
import { createEndBegunJob } from './end-begun-job.ts';
import { createExpireAnswersJob } from './expire-job.ts';
import { createSealJob } from './seal-job.ts';
import { encryptedColumns, migrations } from './tables.ts';

const inMs = (ms: number) => sql`${ms}::double precision * interval '1 millisecond'`;

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
      isOver: sql`t.created_at < now() - ${inMs(deliveryRetentionMs)} and t.created_at < now() - interval '2 days'`,
    },
  ],
  jobs: (context, { pruneIntervalMs }) => [
    createSealJob(context),
    createExpireAnswersJob(context.database, pruneIntervalMs),
    createEndBegunJob(context.database, announceChanges(context), pruneIntervalMs),
  ],
};

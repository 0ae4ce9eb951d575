import type { FeatureData } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { eraseInvitations } from './erase-invitations.ts';
import { exportMessages } from './export-messages.ts';
import { encryptedColumns, migrations } from './tables.ts';

const inMs = (ms: number) => sql`${ms}::double precision * interval '1 millisecond'`;

// A day's messages are kept at least until it is over in every time zone, so that none is sent twice.
const isPastDay = sql`t.day < current_date - 2`;

/** The tables of mail to guests. */
export const invitationsData: FeatureData = {
  migrations,
  encryptedColumns,
  ofInstallation: ['invitation_listing', 'invitation_plan'],
  personalData: { eraseMessages: eraseInvitations, exportMessages },
  retention: ({ deliveryRetentionMs }) => [
    {
      table: 'invitation',
      maxBatchSize: 500,
      isOver: sql`t.created_at < now() - ${inMs(deliveryRetentionMs)} and ${isPastDay}`,
    },
    { table: 'invitation_plan', maxBatchSize: 500, isOver: isPastDay },
    {
      table: 'invitation_block',
      maxBatchSize: 500,
      isOver: sql`t.prune_at < now() and not exists (
        select from upcoming_booking u
        where u.pool = t.pool and u.booking_system = t.booking_system and u.booking_id = t.booking_id)`,
    },
  ],
};

import type { FeatureData } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { raiseAlerts } from './raise-alerts.ts';
import { encryptedColumns, migrations } from './tables.ts';

/** The tables of alerts, and what becomes one. */
export const alertsData: FeatureData = {
  migrations,
  encryptedColumns,
  onOccurrences: raiseAlerts,
  // A sent alert is listed with the state of its message.
  needsDelivery: sql`(d.pool = '' and exists (select from sent_alert s where s.id = d.id))`,
  retention: () => [
    { table: 'sent_alert', maxBatchSize: 500, isOver: sql`t.at < now() - interval '90 days'` },
  ],
};

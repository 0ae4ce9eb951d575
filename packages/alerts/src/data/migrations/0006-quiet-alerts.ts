import type { SchemaMigration } from '@waiver-service/database';

/**
 * Alerts are written where the state changes: the last one sent about a subject tells whether to be quiet. The tables
 * alert_occurrence and alert_topic are only used by hosts of earlier versions, and go with the next one.
 */
export const quietAlerts = {
  statements: [
    `
-- The subject is the destination, or the name of a fault; null if a host of an earlier version sent it. "repeated" counts
-- what happened after it in its quiet time, for the next alert.
alter table sent_alert add column subject text collate "C";
alter table sent_alert add column repeated integer not null default 0;
create index sent_alert_of_subject on sent_alert (alert, subject, event, at);
`,
  ],
} as const satisfies SchemaMigration;

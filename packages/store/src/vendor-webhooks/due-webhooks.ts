import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

/** The channel that notifies hosts of webhooks at vendors that are due at once. */
export const dueWebhooksChannelName = 'waiver_service_due_webhooks';

/** Notifies every host, when the transaction commits. */
export async function announceDueWebhooks(database: Database): Promise<void> {
  await sql`select pg_notify(${dueWebhooksChannelName}, '')`.execute(database);
}

import { DatabaseError, type PoolClient } from 'pg';

/**
 * Whether a commit failed because PostgreSQL's queue of notifications is full: a session that listens has had a
 * transaction open for long, and keeps all notifications since. Changes that must be announced are rolled back, such as
 * those that withdraw a permission from messages that a host has claimed.
 */
export const isNotifyQueueFull = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '54000' && error.routine === 'PreCommit_Notify';

/**
 * Discards the notifications that every session has read, without waiting for it. PostgreSQL itself does so only when
 * notifications are added: a full queue would stay full after the session that kept them has gone on.
 */
export function discardReadNotifications(client: PoolClient): void {
  client.query('select pg_notification_queue_usage()').catch(() => {});
}

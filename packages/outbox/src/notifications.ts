import { type Notifications as NotificationsOf, notify as notifyHosts } from '@waiver-service/database';
import type { Database } from './data/tables.ts';

/** The channels by which hosts learn what others have committed to the outbox. */
export const channels = [
  /** There may be something to send. */
  'outbox',
  /** Part of a claimed message was withdrawn. */
  'withdrawals',
  /** A dispatcher has joined or left, or shards are free. */
  'shards',
] as const;

type Channel = (typeof channels)[number];

export type Notifications = NotificationsOf<Channel>;

/** Notifies every host when the transaction commits: a separate statement, never part of one that writes. */
export const notify: (database: Database, channel: Channel, payload?: string) => Promise<void> = notifyHosts;

import { type Notifications as NotificationsOf, notify as notifyHosts } from '@waiver-service/database';
import { channels as outboxChannels } from '@waiver-service/outbox';
import type { Database } from './tables.ts';

export const channels = [
  ...outboxChannels,
  /** Waivers have changed. */
  'changes',
  /** A token was revoked, or a configuration has changed. */
  'setups',
  /** Stored responses of a pool were removed, or must be followed again. */
  'removed_bookings',
  /** Webhooks at vendors are due at once. */
  'due_webhooks',
  /** An installation's session at its booking system was recorded. */
  'recorded_sessions',
] as const;

/** A channel by which hosts learn what others have committed. */
export type Channel = (typeof channels)[number];

export type Notifications = NotificationsOf<Channel>;

/** Notifies every host when the transaction commits: a separate statement, never part of one that writes. */
export const notify: (database: Database, channel: Channel, payload?: string) => Promise<void> = notifyHosts;

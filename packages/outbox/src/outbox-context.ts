import type { AlertEvent } from '@waiver-service/api';
import { type Notifications as NotificationsOf, notify as notifyHosts } from '@waiver-service/database';
import type { RawBuilder } from 'kysely';
import type { Database, DatabaseTransaction } from './data/tables.ts';

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

/** Something that operators may have to know. */
export interface Occurrence {
  readonly event: AlertEvent;
  /** The destination that it is about, or what failed in a `fault`, such as `plugin bookeo`. */
  readonly subject: string;
  /** How often it happened; 1 by default. 0: it goes on, and is sent only if it has not been. */
  readonly times?: number;
  /** Since when it goes on: it is sent once. Without it, it is sent each time. */
  readonly since?: Date | null;
  /** A `fault`, as a sentence for people, without secrets or guests' data. */
  readonly detail?: string;
}

/**
 * Tells features of occurrences. Call it last in the transaction that records them: features take locks, after those of
 * any destinations, and nothing is locked after theirs.
 */
export type ReportOccurrences = (
  transaction: DatabaseTransaction,
  occurrences: readonly Occurrence[],
) => Promise<void>;

/**
 * SQL on what destinations belong to: installations, webhooks and bookings are tables of the outbox's caller, which
 * says how the outbox's statements join them.
 */
export interface DestinationOwners {
  /** Of a destination `t` that is claimed for. */
  readonly settings: {
    readonly joins: RawBuilder<unknown>;
    /** Changes with the settings that a connection is made with. */
    readonly version: RawBuilder<string>;
    readonly bookingSystem: RawBuilder<string | null>;
    /** The answers and other properties that may be sent; null if that is not limited. */
    readonly listed: RawBuilder<readonly string[] | null>;
  };
  /** Of a Guest Update `p` that moves to another lane. */
  readonly guests: {
    readonly joins: RawBuilder<unknown>;
    /** Whether the booking system is not told of guests by their ids in the booking. */
    readonly lackBookingIds: RawBuilder<boolean>;
  };
}

/** SQL on the bookings of messages: see {@link DestinationOwners}. */
export interface BookingIds {
  /** Of a destination `d`. */
  readonly installation: {
    readonly joins: RawBuilder<unknown>;
    readonly bookingSystem: RawBuilder<string | null>;
  };
  /** The canonical id of the booking of a message `m` to an installation `o`, which has the `booking_system`. */
  readonly ownId: RawBuilder<string>;
  /** A query for the other ids of that booking `i`, by its `own_id`. */
  readonly otherIds: RawBuilder<string>;
}

/** Dependencies shared by the parts of the outbox. */
export interface OutboxContext {
  readonly database: Database;
  readonly notifications: Notifications;
  readonly report: ReportOccurrences;
  readonly owners: DestinationOwners;
}

/** The occurrences of dead letters: one for each destination. */
export function deadLettersOf(dead: readonly { readonly destination: string }[]): Occurrence[] {
  const times = new Map<string, number>();
  for (const { destination } of dead) times.set(destination, (times.get(destination) ?? 0) + 1);
  return [...times].map(([subject, count]) => ({ event: 'delivery.dead', subject, times: count }));
}

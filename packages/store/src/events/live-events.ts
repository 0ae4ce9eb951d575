import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { type DeliveryItem, readChangedDeliveries } from '../deliveries/index.ts';
import { type DestinationItem, readDestinations } from '../destinations/index.ts';
import type { ChangedKind, EventChannel } from './event-channel.ts';

/** Deliveries and destinations that have changed, as they are now. */
export interface LiveChange {
  /** Newest first. */
  readonly deliveries: readonly DeliveryItem[];
  readonly destinations: readonly DestinationItem[];
}

/** Callbacks for what happens on any host. */
export interface LiveListener {
  onChange(change: LiveChange): void;
  /** Anything may have changed: more than is told, or something was missed. */
  onGap(): void;
  /** A session or a credential has ended. */
  onAccessEnded(): void;
}

/** Deliveries and destinations as they change, on any host. */
export interface LiveEvents {
  /**
   * Calls back until it is closed. However many watch, what has changed is read once; nothing is read while nothing
   * changes.
   */
  watch(listener: LiveListener): { close(): void };
}

// The pause between two statements bounds both what watching costs and how late a change is seen.
const pauseMs = 150;
const afterFailureMs = 1_000;
/** How many of each kind are read at once. */
const maxRead: Readonly<Record<ChangedKind, number>> = { delivery: 100, waiver: 25, destination: 25 };
/** With more that waits to be read, it is left unread. */
const maxUnread = 1_000;

/** Takes the first of a set. */
function takeSome(ids: Set<string>, limit: number): string[] {
  const taken = [...ids].slice(0, limit);
  for (const id of taken) ids.delete(id);
  return taken;
}

/** Creates the part of the store for live events. */
export function createLiveEvents(
  database: Database,
  channel: Pick<EventChannel, 'watch'>,
): LiveEvents & { close(): Promise<void> } {
  const listeners = new Set<LiveListener>();
  const unread: Record<ChangedKind, Set<string>> = {
    delivery: new Set(),
    waiver: new Set(),
    destination: new Set(),
  };
  let subscription: { close(): void } | undefined;
  let running: Promise<void> | undefined;
  let isMissing = false;

  const hasUnread = () => isMissing || Object.values(unread).some(({ size }) => size > 0);

  function forgetUnread(): void {
    for (const ids of Object.values(unread)) ids.clear();
  }

  async function readOnce(): Promise<void> {
    const ids = takeSome(unread.delivery, maxRead.delivery);
    const waivers = takeSome(unread.waiver, maxRead.waiver);
    const destinations = takeSome(unread.destination, maxRead.destination);
    const change: LiveChange = {
      deliveries: await readChangedDeliveries(database, { ids, waivers }),
      destinations: await readDestinations(database, destinations),
    };
    if (change.deliveries.length + change.destinations.length === 0) return;
    for (const listener of listeners) listener.onChange(change);
  }

  async function run(): Promise<void> {
    while (listeners.size > 0 && hasUnread()) {
      try {
        await readOnce();
        if (isMissing) for (const listener of listeners) listener.onGap();
        isMissing = false;
        await delay(pauseMs);
      } catch {
        // Told when the database is there again: those who watch read what they show.
        isMissing = true;
        await delay(afterFailureMs);
      }
    }
    running = undefined;
  }

  function wake(): void {
    running ??= run();
  }

  const listener = {
    onChanged(kind: ChangedKind, ids: readonly string[]) {
      for (const id of ids) unread[kind].add(id);
      if (unread[kind].size > maxUnread) {
        forgetUnread();
        isMissing = true;
      }
      wake();
    },
    onGap() {
      isMissing = true;
      wake();
    },
    onAccessEnded() {
      for (const { onAccessEnded } of listeners) onAccessEnded();
    },
  };

  return {
    watch(added) {
      listeners.add(added);
      subscription ??= channel.watch(listener);
      return {
        close() {
          listeners.delete(added);
          if (listeners.size > 0) return;
          subscription?.close();
          subscription = undefined;
          forgetUnread();
          isMissing = false;
        },
      };
    },
    async close() {
      listeners.clear();
      subscription?.close();
      await running;
    },
  };
}

import { sql } from 'kysely';
import type { ConnectionRenewal } from '../database/connection-renewal.ts';
import type { Database } from '../database/database.ts';
import { keepListening, type Listening } from '../database/listening.ts';
import { shardChannelName } from './dispatchers.ts';
import { type Withdrawal, withdrawalChannelName, withdrawalOf } from './withdrawals.ts';

/** The channel that notifies when there may be something to send. */
export const wakeChannelName = 'waiver_service_outbox';
/** The channel that notifies when waivers were changed. */
export const changeChannelName = 'waiver_service_changes';
/** The channel that notifies when a token was revoked or a configuration changed. */
export const setupChannelName = 'waiver_service_setups';
// A notification in each transaction would cost about a tenth of the throughput; occasional ones cost nothing
// measurable.
const notifyEveryMs = 50;

/** Callbacks for commits. */
export interface OutboxListener {
  /** Something was committed; for a dispatcher, there may be something to send. */
  onWake(): void;
  /**
   * Part of a claimed message was withdrawn; undefined if it could be any, because a notification may have been lost.
   */
  onWithdrawn?(withdrawal: Withdrawal | undefined): void;
  /** Shards are free, or to be rebalanced. */
  onShardsChanged?(): void;
}

/** Wakes listeners: in this process at once, on other hosts at most twenty times a second. */
export interface WakeChannel {
  /** Announces a commit. Never rejects, because polling finds what is missed. */
  wake(): void;
  /** Announces a committed withdrawal to the dispatchers of this process, before its caller's promise resolves. */
  withdraw(withdrawal: Withdrawal): void;
  listen(listener: OutboxListener): { close(): Promise<void> };
  close(): Promise<void>;
}

/** Opens the channel. All who listen share one connection, which is reopened when it is lost. */
export function createWakeChannel(
  database: Database,
  databaseUrl: string,
  renewal: ConnectionRenewal,
  name: string = wakeChannelName,
): WakeChannel {
  const listeners = new Set<OutboxListener>();
  let listening: Listening | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOwed = false;
  let sending: Promise<unknown> = Promise.resolve();

  const notify = () => {
    isOwed = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isOwed) notify();
    }, notifyEveryMs);
    timer.unref();
    sending = sql`select pg_notify(${name}, '')`.execute(database).catch(() => {});
  };

  const withdraw = (withdrawal?: Withdrawal) => {
    for (const listener of listeners) listener.onWithdrawn?.(withdrawal);
  };

  const wakeListeners = () => {
    for (const listener of listeners) listener.onWake();
  };

  const beginListening = () =>
    keepListening({
      databaseUrl,
      renewal,
      channels: [name, withdrawalChannelName, shardChannelName],
      onNotification(channel, payload) {
        if (channel === withdrawalChannelName) withdraw(withdrawalOf(payload));
        else if (channel === shardChannelName) for (const listener of listeners) listener.onShardsChanged?.();
        else wakeListeners();
      },
      // Notifications sent in between are lost, so anything may have happened.
      onBegin() {
        withdraw();
        wakeListeners();
      },
      onEnd: () => withdraw(),
    });

  async function stopListening(): Promise<void> {
    const stopped = listening;
    listening = undefined;
    await stopped?.close();
  }

  return {
    wake() {
      wakeListeners();
      if (timer === undefined) notify();
      else isOwed = true;
    },
    withdraw,
    listen(listener) {
      listeners.add(listener);
      listening ??= beginListening();
      return {
        async close() {
          if (!listeners.delete(listener)) return;
          // From now on it hears of none.
          listener.onWithdrawn?.(undefined);
          if (listeners.size === 0) await stopListening();
        },
      };
    },
    async close() {
      clearTimeout(timer);
      withdraw();
      listeners.clear();
      await stopListening();
      await sending;
    },
  };
}

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

/** Opens the channel. The first `listen` opens a connection, which is reopened when it is lost. */
export function createWakeChannel(
  database: Database,
  databaseUrl: string,
  renewal: ConnectionRenewal,
  name: string = wakeChannelName,
): WakeChannel {
  const listeners = new Set<OutboxListener>();
  const open = new Set<{ close(): Promise<void> }>();
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

  return {
    wake() {
      for (const listener of listeners) listener.onWake();
      if (timer === undefined) notify();
      else isOwed = true;
    },
    withdraw(withdrawal) {
      for (const listener of listeners) listener.onWithdrawn?.(withdrawal);
    },
    listen(listener) {
      listeners.add(listener);
      const listening = listenOn({ databaseUrl, name, listener, renewal });
      const subscription = {
        async close() {
          listeners.delete(listener);
          open.delete(subscription);
          await listening.close();
        },
      };
      open.add(subscription);
      return subscription;
    },
    async close() {
      clearTimeout(timer);
      await Promise.all([...open].map((subscription) => subscription.close()));
      await sending;
    },
  };
}

interface Listened {
  readonly databaseUrl: string;
  readonly name: string;
  readonly listener: OutboxListener;
  readonly renewal: ConnectionRenewal;
}

function listenOn({ databaseUrl, name, listener, renewal }: Listened): Listening {
  const onWithdrawn = (withdrawal?: Withdrawal) => listener.onWithdrawn?.(withdrawal);
  return keepListening({
    databaseUrl,
    renewal,
    channels: [name, withdrawalChannelName, shardChannelName],
    onNotification(channel, payload) {
      if (channel === withdrawalChannelName) onWithdrawn(withdrawalOf(payload));
      else if (channel === shardChannelName) listener.onShardsChanged?.();
      else listener.onWake();
    },
    // Notifications sent in between are lost, so anything may have happened.
    onBegin() {
      onWithdrawn();
      listener.onWake();
    },
    onEnd: () => onWithdrawn(),
  });
}

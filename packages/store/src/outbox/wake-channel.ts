import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { connectionSettings } from '../database/connect.ts';
import type { ConnectionRenewal } from '../database/connection-renewal.ts';
import type { Database } from '../database/database.ts';
import { shardChannelName } from './dispatchers.ts';
import { type Withdrawal, withdrawalChannelName, withdrawalOf } from './withdrawals.ts';

/** The channel on which PostgreSQL tells that something may have to be sent. */
export const wakeChannelName = 'waiver_service_outbox';
/** The channel on which PostgreSQL tells that waivers were changed. */
export const changeChannelName = 'waiver_service_changes';
/** The channel on which PostgreSQL tells that a token was revoked or something set up anew. */
export const setupChannelName = 'waiver_service_setups';
// A notification in each transaction costs about a tenth of all accepts; one in a while costs nothing to be seen.
const notifyEveryMs = 50;
const firstReconnectMs = 100;
const maxReconnectDelayMs = 10_000;

/** Who is told of what was committed. */
export interface OutboxListener {
  /** Something was committed; for a dispatcher: something may have to be sent. */
  onWake(): void;
  /** Something that is claimed may no longer leave; undefined: anything, since a notice may have been lost. */
  onWithdrawn?(withdrawal: Withdrawal | undefined): void;
  /** Shards are free, or are to be shared anew. */
  onShardsChanged?(): void;
}

/** Wakes those who listen: in this process at once, on other hosts twenty times a second at most. */
export interface WakeChannel {
  /** Says that something was committed. Never fails: the poll is the truth. */
  wake(): void;
  /** Tells the dispatchers of this process of a withdrawal that was committed, before anybody hears that it was. */
  withdraw(withdrawal: Withdrawal): void;
  listen(listener: OutboxListener): { close(): Promise<void> };
  close(): Promise<void>;
}

/** Opens the channel. A connection for listening is made by the first `listen`, and made again when it is lost. */
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

interface Listening {
  readonly databaseUrl: string;
  readonly name: string;
  readonly listener: OutboxListener;
  readonly renewal: ConnectionRenewal;
}

function listenOn(options: Listening): { close(): Promise<void> } {
  const closing = new AbortController();
  const { signal } = closing;
  const run = async () => {
    for (let wait = firstReconnectMs; !signal.aborted; wait = Math.min(wait * 2, maxReconnectDelayMs)) {
      if (await listenOnce(options, signal)) wait = firstReconnectMs;
      await delay(wait, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return {
    close() {
      closing.abort();
      return running;
    },
  };
}

/**
 * Listens until the connection is lost, is to be renewed, or the signal aborts.
 * @returns whether it came to listen at all.
 */
async function listenOnce(
  { databaseUrl, name, listener, renewal }: Listening,
  signal: AbortSignal,
): Promise<boolean> {
  const onWake = () => listener.onWake();
  const onWithdrawn = (withdrawal?: Withdrawal) => listener.onWithdrawn?.(withdrawal);
  const client = new Client(connectionSettings(databaseUrl));
  const { promise: lost, resolve: loseConnection } = Promise.withResolvers<void>();
  client.on('error', () => loseConnection());
  client.on('end', () => loseConnection());
  client.on('notification', ({ channel, payload }) => {
    if (channel === withdrawalChannelName) onWithdrawn(withdrawalOf(payload));
    else if (channel === shardChannelName) listener.onShardsChanged?.();
    else onWake();
  });
  signal.addEventListener('abort', () => loseConnection(), { once: true });
  const stopWatching = renewal.onRenew(loseConnection);
  try {
    await client.connect();
    await client.query(`listen ${name}; listen ${withdrawalChannelName}; listen ${shardChannelName}`);
    // Earlier notifications are not repeated, so anything may have happened.
    onWithdrawn();
    onWake();
    await lost;
    onWithdrawn();
    return true;
  } catch {
    return false;
  } finally {
    stopWatching();
    await client.end().catch(() => {});
  }
}

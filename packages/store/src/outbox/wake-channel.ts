import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { connectionSettings } from '../database/connect.ts';
import type { Database } from '../database/database.ts';

/** The channel on which PostgreSQL tells that something may have to be sent. */
export const wakeChannelName = 'waiver_service_outbox';
// A notification in each transaction costs about a tenth of all accepts; one in a while costs nothing to be seen.
const notifyEveryMs = 50;
const firstReconnectMs = 100;
const longestReconnectMs = 10_000;

/** Wakes dispatchers: those of this process at once, those of other hosts twenty times a second at most. */
export interface WakeChannel {
  /** Says that something was committed that may be sent. Never fails: the poll is the truth. */
  wake(): void;
  /** Calls back when something may have to be sent. */
  listen(onWake: () => void): { close(): Promise<void> };
  close(): Promise<void>;
}

/** Opens the channel. A connection for listening is made by the first `listen`, and made again when it is lost. */
export function createWakeChannel(database: Database, databaseUrl: string): WakeChannel {
  const listeners = new Set<() => void>();
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
    sending = sql`select pg_notify(${wakeChannelName}, '')`.execute(database).catch(() => {});
  };

  return {
    wake() {
      for (const listener of listeners) listener();
      if (timer === undefined) notify();
      else isOwed = true;
    },
    listen(onWake) {
      listeners.add(onWake);
      const listening = listenOn(databaseUrl, onWake);
      const subscription = {
        async close() {
          listeners.delete(onWake);
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

function listenOn(databaseUrl: string, onWake: () => void): { close(): Promise<void> } {
  const closing = new AbortController();
  const { signal } = closing;
  const run = async () => {
    for (let wait = firstReconnectMs; !signal.aborted; wait = Math.min(wait * 2, longestReconnectMs)) {
      if (await listenOnce(databaseUrl, onWake, signal)) wait = firstReconnectMs;
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

/** Listens until the connection is lost or the signal aborts. @returns whether it came to listen at all. */
async function listenOnce(databaseUrl: string, onWake: () => void, signal: AbortSignal): Promise<boolean> {
  const client = new Client(connectionSettings(databaseUrl));
  const { promise: lost, resolve: loseConnection } = Promise.withResolvers<void>();
  client.on('error', () => loseConnection());
  client.on('end', () => loseConnection());
  client.on('notification', onWake);
  signal.addEventListener('abort', () => loseConnection(), { once: true });
  try {
    await client.connect();
    await client.query(`listen ${wakeChannelName}`);
    // What was notified before is not told again.
    onWake();
    await lost;
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

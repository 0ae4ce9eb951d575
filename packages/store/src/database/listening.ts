import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { connectionSettings } from './connect.ts';
import type { ConnectionRenewal } from './connection-renewal.ts';

const firstReconnectMs = 100;
const maxReconnectDelayMs = 10_000;
const endWithinMs = 1_000;

/** Which notifications to listen for, and what to call. */
export interface ListeningOptions {
  readonly databaseUrl: string;
  readonly renewal: ConnectionRenewal;
  readonly channels: readonly string[];
  onNotification(channel: string, payload: string | undefined): void;
  /** Listening has begun, again after a lost connection. Notifications sent before are lost. */
  onBegin(): void;
  /** The connection is lost, and with it whatever is sent until the next `onBegin`. */
  onEnd?(): void;
}

/** Something that listens until it is closed. */
export interface Listening {
  close(): Promise<void>;
}

/** Listens on a connection of its own, which is reopened when it is lost. */
export function keepListening(options: ListeningOptions): Listening {
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
 * Listens until the connection is lost or to be renewed, or the signal aborts.
 *
 * @returns whether listening began.
 */
async function listenOnce(options: ListeningOptions, signal: AbortSignal): Promise<boolean> {
  const { databaseUrl, renewal, channels, onNotification, onBegin, onEnd } = options;
  const client = new Client(connectionSettings(databaseUrl));
  const { promise: lost, resolve: loseConnection } = Promise.withResolvers<void>();
  client.on('error', () => loseConnection());
  client.on('end', () => loseConnection());
  client.on('notification', ({ channel, payload }) => onNotification(channel, payload));
  signal.addEventListener('abort', () => loseConnection(), { once: true });
  const stopWatching = renewal.onRenew(loseConnection);
  try {
    await client.connect();
    await client.query(channels.map((channel) => `listen ${channel}`).join('; '));
    onBegin();
    await lost;
    onEnd?.();
    return true;
  } catch {
    return false;
  } finally {
    stopWatching();
    // A server that has vanished does not answer this either.
    const ended = client.end().catch(() => {});
    await Promise.race([ended, delay(endWithinMs, undefined, { ref: false })]);
  }
}

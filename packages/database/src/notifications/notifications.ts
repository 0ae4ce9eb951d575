import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import type { ConnectionRenewal } from '../connections/connection-renewal.ts';
import type { Queryable } from '../connections/database.ts';
import { sessionStatements } from '../connections/session-settings.ts';

/** Called with a notification's payload; `undefined` where notifications may have been lost. */
export type NotificationListener = (payload: string | undefined) => void;

/** Announces commits among hosts: one connection of each host listens to all channels. */
export interface Notifications<Channel extends string>
  extends ReturnType<typeof createNotifications<Channel>> {}

const nameOf = (channel: string) => `waiver_service_${channel}`;

/** Notifies every host when the transaction commits: a separate statement, never part of one that writes. */
export async function notify(database: Queryable, channel: string, payload = ''): Promise<void> {
  await sql`select pg_notify(${nameOf(channel)}, ${payload})`.execute(database);
}

// A notification in each transaction would cost about a tenth of the throughput; occasional ones cost nothing
// measurable.
const announceEveryMs = 50;
const firstReconnectMs = 100;
const maxReconnectDelayMs = 10_000;
const endWithinMs = 1_000;
const session = sessionStatements({ statementTimeoutMs: 30_000, idleInTransactionTimeoutMs: 30_000 });

export interface NotificationsOptions<Channel extends string> {
  readonly channels: readonly Channel[];
  readonly database: Queryable;
  /** Of the connection that listens. */
  readonly settings: ClientConfig;
  readonly renewal: ConnectionRenewal;
}

/** Listens to all channels until it is closed. The connection is reopened when it is lost. */
export function createNotifications<Channel extends string>({
  channels,
  database,
  settings,
  renewal,
}: NotificationsOptions<Channel>) {
  const listeners = new Map(channels.map((channel) => [channel, new Set<NotificationListener>()]));
  const byName = new Map(channels.map((channel) => [nameOf(channel), channel]));
  /** By channel: the pause after an announcement, and whether another one is due at its end. */
  const pauses = new Map<Channel, { readonly timer: NodeJS.Timeout; isDue: boolean }>();
  const sending = new Set<Promise<unknown>>();
  const closing = new AbortController();
  const { signal } = closing;

  function dispatch(channel: Channel, payload?: string): void {
    for (const listener of listeners.get(channel) ?? []) listener(payload);
  }

  function dispatchGap(): void {
    for (const channel of channels) dispatch(channel);
  }

  function send(channel: Channel, payload: string): void {
    const sent = notify(database, channel, payload)
      .catch(() => {})
      .finally(() => sending.delete(sent));
    sending.add(sent);
  }

  function sendNow(channel: Channel): void {
    const timer = setTimeout(() => {
      const isDue = pauses.get(channel)?.isDue === true;
      pauses.delete(channel);
      if (isDue) sendNow(channel);
    }, announceEveryMs);
    timer.unref();
    pauses.set(channel, { timer, isDue: false });
    send(channel, '');
  }

  /** Listens until the connection is lost or renewed, or the signal aborts. @returns whether listening began */
  async function listenOnce(): Promise<boolean> {
    const client = new Client(settings);
    const { promise: lost, resolve: loseConnection } = Promise.withResolvers<void>();
    client.on('error', () => loseConnection());
    client.on('end', () => loseConnection());
    client.on('notification', ({ channel: name, payload }) => {
      const channel = byName.get(name);
      if (channel !== undefined) dispatch(channel, payload ?? '');
    });
    const stop = () => loseConnection();
    signal.addEventListener('abort', stop);
    const stopWatching = renewal.onRenew(loseConnection);
    try {
      await client.connect();
      await client.query(session);
      await client.query(channels.map((channel) => `listen ${nameOf(channel)}`).join('; '));
      dispatchGap();
      await lost;
      dispatchGap();
      return true;
    } catch {
      return false;
    } finally {
      signal.removeEventListener('abort', stop);
      stopWatching();
      // A server that has vanished does not answer this either.
      const ended = client.end().catch(() => {});
      await Promise.race([ended, delay(endWithinMs, undefined, { ref: false })]);
    }
  }

  async function listenUntilClosed(): Promise<void> {
    for (let wait = firstReconnectMs; !signal.aborted; wait = Math.min(wait * 2, maxReconnectDelayMs)) {
      if (await listenOnce()) wait = firstReconnectMs;
      await delay(wait, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const listening = listenUntilClosed();

  return {
    /** @returns a function to remove the listener */
    listen(channel: Channel, listener: NotificationListener): () => void {
      listeners.get(channel)?.add(listener);
      return () => void listeners.get(channel)?.delete(listener);
    },
    /** Calls only the listeners of this process, at once. */
    dispatch,
    /** After a commit: calls the listeners of this process at once, and notifies hosts at most twenty times a second. */
    announce(channel: Channel): void {
      dispatch(channel, '');
      const pause = pauses.get(channel);
      if (pause === undefined) sendNow(channel);
      else pause.isDue = true;
    },
    /** Notifies every host, this one too. Never rejects. */
    send,
    /** Stops listening. Listeners are called once more, since they will miss later notifications. */
    async close(): Promise<void> {
      for (const { timer } of pauses.values()) clearTimeout(timer);
      closing.abort();
      await listening;
      await Promise.all(sending);
    },
  };
}

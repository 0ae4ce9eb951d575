import { sql } from 'kysely';
import { z } from 'zod';
import { removedBookingsChannelName } from '../bookings/removed-bookings.ts';
import type { ConnectionRenewal } from '../database/connection-renewal.ts';
import type { Database } from '../database/database.ts';
import { keepListening } from '../database/listening.ts';
import { shardChannelName } from '../outbox/dispatchers.ts';
import { dueWebhooksChannelName } from '../vendor-webhooks/due-webhooks.ts';

const channelName = 'waiver_service_events';

// Those that are heard on the same connection: each host has one for all.
const otherChannels = [removedBookingsChannelName, dueWebhooksChannelName] as const;
type OtherChannel = (typeof otherChannels)[number];

/** The kinds of things whose changes are announced, by id. */
export type ChangedKind = 'delivery' | 'waiver' | 'destination';

/** Announces what this process has committed. Never rejects; does nothing while nobody watches. */
export interface ChangeAnnouncer {
  /** These things may have changed. Of a waiver, its deliveries. */
  changed(kind: ChangedKind, ids: Iterable<string>): void;
  /** More has changed than can be named. */
  requestResync(): void;
  /** A session or a credential has ended. */
  accessEnded(): void;
}

/** Callbacks for announcements of any process, including this one. */
export interface AnnouncementListener {
  onChanged(kind: ChangedKind, ids: readonly string[]): void;
  /** Anything may have changed: announcements were lost, or there were too many. */
  onGap(): void;
  onAccessEnded(): void;
}

/**
 * How processes tell each other what they changed, by notifications after the commit.
 *
 * A process that nobody listens to announces nothing: whoever watches says so every few seconds, and all others take
 * that as leave for a while. What a process commits in the moment before it is killed stays unannounced; those who
 * watch read again what they show when its shards are taken over, and from time to time.
 */
export interface EventChannel extends ChangeAnnouncer {
  watch(listener: AnnouncementListener): { close(): void };
  /** Calls back on each notification of another channel; without its payload if one may have been missed. */
  onNotification(channel: OtherChannel, listener: (payload?: string) => void): void;
  close(): Promise<void>;
}

// Several changes share a notification; the first of them does not wait for long.
const gatherMs = 20;
const announceEveryMs = 100;
const watchEveryMs = 5_000;
// Two announcements of watching may be lost.
const watchedForMs = 16_000;
// PostgreSQL takes less than 8,000 bytes in a notification.
const maxPayloadBytes = 7_500;
const maxPayloads = 8;
// More than anybody shows: to read again what is shown costs less than to name them all.
const maxNamed = 500;

const kinds: readonly ChangedKind[] = ['delivery', 'waiver', 'destination'];
const isKind = (text: string): text is ChangedKind => kinds.some((kind) => kind === text);

/** A message as a notification's text: its first word, and ids. */
const payloadOf = (word: string, ids: readonly string[] = []) => JSON.stringify([word, ...ids]);

/** As many payloads as some ids take. */
function payloadsOf(kind: ChangedKind, ids: Iterable<string>): string[] {
  const payloads: string[] = [];
  let some: string[] = [];
  let bytes = 0;
  for (const id of ids) {
    const size = Buffer.byteLength(JSON.stringify(id)) + 1;
    if (bytes + size > maxPayloadBytes) {
      payloads.push(payloadOf(kind, some));
      some = [];
      bytes = 0;
    }
    some.push(id);
    bytes += size;
  }
  return some.length === 0 ? payloads : [...payloads, payloadOf(kind, some)];
}

const wordsSchema = z.array(z.string());

/** The words of a payload; none if it is not one of ours. */
function wordsOf(payload = ''): string[] {
  try {
    return wordsSchema.parse(JSON.parse(payload));
  } catch {
    return [];
  }
}

/** Opens the channel: one connection, which listens. */
export function createEventChannel(
  database: Database,
  databaseUrl: string,
  renewal: ConnectionRenewal,
): EventChannel {
  const listeners = new Set<AnnouncementListener>();
  const changes: Record<ChangedKind, Set<string>> = {
    delivery: new Set(),
    waiver: new Set(),
    destination: new Set(),
  };
  const otherListeners = new Map<string, (payload?: string) => void>();
  let isMuch = false;
  let watchedUntil = 0;
  let announcedAt = Number.NEGATIVE_INFINITY;
  let announcing: NodeJS.Timeout | undefined;
  let watching: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  const isWatched = () => performance.now() < watchedUntil;
  const beWatched = () => {
    watchedUntil = performance.now() + watchedForMs;
  };

  function send(payloads: readonly string[], onFailure: () => void = () => {}): void {
    sending =
      sql`select pg_notify(${channelName}, m.payload) from unnest(${payloads.slice()}::text[]) m (payload)`
        .execute(database)
        .catch(onFailure);
  }

  function announce(): void {
    announcing = undefined;
    announcedAt = performance.now();
    const payloads = isMuch ? [] : kinds.flatMap((kind) => payloadsOf(kind, changes[kind]));
    for (const kind of kinds) changes[kind].clear();
    const told = isMuch || payloads.length > maxPayloads ? [payloadOf('much')] : payloads;
    isMuch = false;
    send(told, () => {
      isMuch = true;
      announceSoon();
    });
  }

  function announceSoon(): void {
    if (announcing !== undefined || !isWatched()) return;
    const waitMs = Math.max(gatherMs, announcedAt + announceEveryMs - performance.now());
    announcing = setTimeout(announce, waitMs);
    announcing.unref();
  }

  function hear(payload: string | undefined): void {
    const [word = '', ...ids] = wordsOf(payload);
    if (word === 'watch') {
      beWatched();
      return;
    }
    for (const listener of listeners) {
      if (isKind(word)) listener.onChanged(word, ids);
      else if (word === 'access') listener.onAccessEnded();
      else listener.onGap();
    }
  }

  function announceWatching(): void {
    beWatched();
    send([payloadOf('watch')]);
  }

  const listening = keepListening({
    databaseUrl,
    renewal,
    channels: [channelName, shardChannelName, ...otherChannels],
    onNotification(channel, payload) {
      if (channel === channelName) hear(payload);
      // A host may have been killed before it announced what it had done.
      else if (channel === shardChannelName) for (const listener of listeners) listener.onGap();
      else otherListeners.get(channel)?.(payload);
    },
    onBegin() {
      for (const listener of otherListeners.values()) listener();
      // Somebody may be watching, and is heard of within a few seconds.
      beWatched();
      if (listeners.size > 0) announceWatching();
      for (const listener of listeners) {
        listener.onGap();
        listener.onAccessEnded();
      }
    },
  });

  return {
    changed(kind, ids) {
      if (!isWatched()) return;
      if (!isMuch) for (const id of ids) changes[kind].add(id);
      if (changes[kind].size > maxNamed) isMuch = true;
      announceSoon();
    },
    requestResync() {
      if (!isWatched()) return;
      isMuch = true;
      announceSoon();
    },
    accessEnded: () => send([payloadOf('access')]),
    watch(listener) {
      listeners.add(listener);
      if (watching === undefined) {
        announceWatching();
        watching = setInterval(announceWatching, watchEveryMs);
        watching.unref();
      }
      return {
        close() {
          listeners.delete(listener);
          if (listeners.size > 0) return;
          clearInterval(watching);
          watching = undefined;
        },
      };
    },
    onNotification(channel, listener) {
      otherListeners.set(channel, listener);
    },
    async close() {
      clearTimeout(announcing);
      clearInterval(watching);
      await listening.close();
      await sending;
    },
  };
}

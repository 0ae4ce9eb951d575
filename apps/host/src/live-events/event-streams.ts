import { Readable } from 'node:stream';
import type { Store } from '@waiver-service/store';
import { HttpProblem } from '../http/http-problem.ts';

/** The maximum number of open streams on one host. */
export const maxStreams = 1_000;
/**
 * The maximum number of open streams of one session. A browser opens six connections to a host: with more streams, none
 * would be left for requests.
 */
export const maxStreamsOfSession = 4;
/** The maximum number of open streams of one person, in all their sessions and by their credential. */
export const maxStreamsOfPerson = 100;

/** The minimum time between two events about one pool. */
const announceEveryMs = 1_000;
// Proxies close idle connections, most after a minute. Revocations are pushed; expired sessions and credentials are
// found by a periodic check.
const checkEveryMs = 15_000;
/** A reader this far behind is dropped: it reads everything when it reconnects. */
const maxUnreadBytes = 64 * 1024;
/** With more changed pools, reading everything costs less than an event for each. */
const maxAnnouncedPools = 100;

/** The owner of a stream, and the pools that it shows. */
export interface StreamSubscriber {
  /** Who it is in logs: all streams of one actor count together. */
  readonly actor: string;
  /** The credential's id; null for the admin token, and for a person of an issuer, who has a session. */
  readonly credential: string | null;
  /** The secret of the console's session, if it is a session's. */
  readonly session: string | undefined;
  /** `undefined` for all. */
  readonly pools: readonly string[] | undefined;
}

interface Stream extends StreamSubscriber {
  readonly body: Readable;
}

/** The open streams of live events on this host. */
export interface EventStreams {
  /**
   * Opens a stream.
   * @throws HttpProblem 429 or 503 `too_many_streams`, 503 `draining`
   */
  open(subscriber: StreamSubscriber): Readable;
  /** Ends all streams and refuses new ones: the host is about to stop. */
  close(): void;
}

export interface EventStreamsParts {
  readonly store: {
    readonly liveEvents: Store['liveEvents'];
    readonly personSessions: Pick<Store['personSessions'], 'stillOpen'>;
    readonly credentials: Pick<Store['credentials'], 'stillValid'>;
  };
  readonly onError: (error: unknown) => void;
}

const heartbeat = ': \n\n';
const resync = 'event: resync\ndata: {}\n\n';
const changeOf = (pool: string) => `event: change\ndata: ${JSON.stringify({ pool })}\n\n`;

function refusal(message: string, status: 429 | 503): HttpProblem {
  return new HttpProblem(status, 'too_many_streams', message, { headers: { 'retry-after': '30' } });
}

export function createEventStreams({ store, onError }: EventStreamsParts): EventStreams {
  const streams = new Set<Stream>();
  const changed = new Set<string>();
  let isAnyChanged = false;
  let pause: NodeJS.Timeout | undefined;
  let checking: NodeJS.Timeout | undefined;
  let isChecking = false;
  let isCheckDue = false;
  let isClosed = false;

  function remove(stream: Stream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(checking);
    checking = undefined;
  }

  function end(stream: Stream): void {
    remove(stream);
    stream.body.push(null);
  }

  function write(stream: Stream, text: string): void {
    if (text === '') return;
    if (stream.body.readableLength < maxUnreadBytes) {
      stream.body.push(text);
      return;
    }
    remove(stream);
    stream.body.destroy();
  }

  function textFor(pools: Stream['pools']): string {
    if (isAnyChanged) return resync;
    const shown = [...changed].filter((pool) => pools === undefined || pools.includes(pool));
    return shown.length > maxAnnouncedPools ? resync : shown.map(changeOf).join('');
  }

  /** Announces changes at once, and later ones after a pause. */
  function announce(): void {
    if (pause !== undefined || (!isAnyChanged && changed.size === 0)) return;
    for (const stream of [...streams]) write(stream, textFor(stream.pools));
    changed.clear();
    isAnyChanged = false;
    pause = setTimeout(() => {
      pause = undefined;
      announce();
    }, announceEveryMs).unref();
  }

  store.liveEvents.watch((pools) => {
    if (streams.size === 0) return;
    if (pools === undefined) isAnyChanged = true;
    for (const pool of pools ?? []) changed.add(pool);
    announce();
  });

  /** Ends streams whose session or credential has ended, with two statements for all streams. */
  async function endRefused(): Promise<void> {
    const open = [...streams];
    const sessions = open.flatMap(({ session }) => session ?? []);
    const credentials = open.flatMap(({ session, credential }) =>
      session === undefined && credential !== null ? [credential] : [],
    );
    const [openSessions, validCredentials] = await Promise.all([
      sessions.length === 0 ? new Set() : store.personSessions.stillOpen([...new Set(sessions)]),
      credentials.length === 0 ? new Set() : store.credentials.stillValid([...new Set(credentials)]),
    ]);
    for (const stream of open) {
      const { session, credential } = stream;
      const isAllowed =
        session === undefined
          ? credential === null || validCredentials.has(credential)
          : openSessions.has(session);
      if (!isAllowed && streams.has(stream)) end(stream);
    }
  }

  /** One check at a time, however many streams begin at once; a call during a check triggers another. */
  async function check(): Promise<void> {
    isCheckDue = true;
    if (isChecking) return;
    isChecking = true;
    while (isCheckDue) {
      isCheckDue = false;
      // While the database is unavailable, the streams are silent anyway.
      await endRefused().catch(onError);
    }
    isChecking = false;
  }
  store.liveEvents.onAccessEnded(() => void check());

  function requireRoom({ session, actor }: StreamSubscriber): void {
    if (isClosed) {
      throw new HttpProblem(503, 'draining', 'The host is about to end: open the stream at another one.', {
        headers: { 'retry-after': '1' },
      });
    }
    if (streams.size >= maxStreams) throw refusal('This host has as many open streams as it may.', 503);
    const own = [...streams].filter((stream) => stream.actor === actor);
    const ofSession = own.filter((stream) => stream.session === session);
    if (
      own.length >= maxStreamsOfPerson ||
      (session !== undefined && ofSession.length >= maxStreamsOfSession)
    )
      throw refusal('You have as many open streams as you may: close one.', 429);
  }

  return {
    open(subscriber) {
      requireRoom(subscriber);
      const body = new Readable({ read() {} });
      const stream: Stream = { ...subscriber, body };
      body.on('close', () => remove(stream));
      streams.add(stream);
      // The subscriber reads everything first, which covers changes before the stream began.
      body.push(resync);
      checking ??= setInterval(() => {
        for (const each of [...streams]) write(each, heartbeat);
        void check();
      }, checkEveryMs).unref();
      // The access may have ended since it was checked.
      void check();
      return body;
    },
    close() {
      isClosed = true;
      for (const stream of [...streams]) end(stream);
    },
  };
}

import { Readable } from 'node:stream';
import type { LiveChange, Store } from '@waiver-service/store';
import { HttpProblem } from '../http/http-problem.ts';

/** The maximum number of open streams on one host. */
export const maxStreams = 1_000;
/**
 * The maximum number of open streams of one session. A browser opens six connections to a host: with more streams,
 * nothing would be left for requests.
 */
export const maxStreamsOfSession = 4;
/** The maximum number of open streams of one credential, or of the admin token. */
const maxStreamsOfCredential = 100;

// Proxies close a connection on which nothing comes; most wait for a minute.
const heartbeatMs = 15_000;
// Revocations are pushed; this catches sessions and credentials that expire.
const checkEveryMs = 15_000;
/** A reader that is so far behind is dropped: it reads anew what it shows when it comes back. */
const maxUnreadBytes = 256 * 1024;
const gapEveryMs = 2_000;
const retryMs = 2_000;

/** The owner of a stream, and the pools that it shows. */
export interface StreamSubscriber {
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
   * Opens one.
   * @throws HttpProblem 429 or 503 `too_many_streams`, 503 `draining`
   */
  open(subscriber: StreamSubscriber): Readable;
  /** Ends all of them and opens none any more: the host is about to end. */
  close(): void;
}

export interface EventStreamsParts {
  readonly store: {
    readonly liveEvents: Store['liveEvents'];
    readonly personSessions: Pick<Store['personSessions'], 'stillOpen'>;
    readonly credentials: Pick<Store['credentials'], 'stillValid'>;
  };
  /** Events of deliveries and destinations. */
  readonly describe: {
    deliveries(items: LiveChange['deliveries']): readonly object[];
    destinations(items: LiveChange['destinations']): readonly object[];
  };
  readonly onError: (error: unknown) => void;
}

const eventText = (event: string, data: object) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const heartbeat = Buffer.from(': \n\n');
const resync = Buffer.from(eventText('resync', {}));
const beginning = Buffer.from(`retry: ${retryMs}\n\n`);

const isShown = (pools: readonly string[] | undefined, { pool }: { readonly pool: string }) =>
  pools === undefined || pools.includes(pool);

function refusal(message: string, status: 429 | 503): HttpProblem {
  return new HttpProblem(status, 'too_many_streams', message, { headers: { 'retry-after': '30' } });
}

/** Creates the {@link EventStreams} of this process: it watches once for all of them, while there are any. */
export function createEventStreams({ store, describe, onError }: EventStreamsParts): EventStreams {
  const streams = new Set<Stream>();
  let watching: { close(): void } | undefined;
  let timers: NodeJS.Timeout[] = [];
  let gapTimer: NodeJS.Timeout | undefined;
  let isGapUntold = false;
  let isChecking = false;
  let isCheckWanted = false;
  let isClosed = false;

  function remove(stream: Stream): void {
    if (!streams.delete(stream) || streams.size > 0) return;
    watching?.close();
    watching = undefined;
    for (const timer of timers) clearInterval(timer);
    clearTimeout(gapTimer);
    timers = [];
    gapTimer = undefined;
    isGapUntold = false;
  }

  function end(stream: Stream): void {
    remove(stream);
    stream.body.push(null);
  }

  function write(stream: Stream, bytes: Buffer): void {
    if (stream.body.readableLength + bytes.length <= maxUnreadBytes) {
      stream.body.push(bytes);
      return;
    }
    remove(stream);
    stream.body.destroy();
  }

  function writeAll(bytes: Buffer): void {
    for (const stream of [...streams]) write(stream, bytes);
  }

  /** The text for each choice of pools is made once, however many look at it. */
  function tell({ deliveries, destinations }: LiveChange): void {
    const texts = new Map<string, Buffer>();
    const textFor = (pools: Stream['pools']): Buffer => {
      const shownDeliveries = deliveries.filter((item) => isShown(pools, item));
      const shownDestinations = destinations.filter((item) => isShown(pools, item));
      const events = [
        shownDeliveries.length === 0
          ? ''
          : eventText('deliveries', { items: describe.deliveries(shownDeliveries) }),
        shownDestinations.length === 0
          ? ''
          : eventText('destinations', { items: describe.destinations(shownDestinations) }),
      ];
      return Buffer.from(events.join(''));
    };
    for (const stream of [...streams]) {
      const key = JSON.stringify(stream.pools ?? null);
      const text = texts.get(key) ?? textFor(stream.pools);
      texts.set(key, text);
      if (text.length > 0) write(stream, text);
    }
  }

  /** Under load there are gaps all the time: they are told now and then, the last one at the end of the pause. */
  function tellGap(): void {
    if (gapTimer !== undefined) {
      isGapUntold = true;
      return;
    }
    isGapUntold = false;
    writeAll(resync);
    gapTimer = setTimeout(() => {
      gapTimer = undefined;
      if (isGapUntold) tellGap();
    }, gapEveryMs);
    gapTimer.unref();
  }

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

  /** Two statements for all streams, one check at a time. */
  async function check(): Promise<void> {
    isCheckWanted = true;
    if (isChecking) return;
    isChecking = true;
    while (isCheckWanted && streams.size > 0) {
      isCheckWanted = false;
      // While the database is away nothing comes through the streams either.
      await endRefused().catch(onError);
    }
    isChecking = false;
  }

  function begin(): void {
    watching = store.liveEvents.watch({ onChange: tell, onGap: tellGap, onAccessEnded: () => void check() });
    timers = [
      setInterval(() => writeAll(heartbeat), heartbeatMs).unref(),
      setInterval(() => void check(), checkEveryMs).unref(),
    ];
  }

  function requireRoom({ session, credential }: StreamSubscriber): void {
    if (isClosed) {
      throw new HttpProblem(503, 'draining', 'The host is about to end: open the stream at another one.', {
        headers: { 'retry-after': '1' },
      });
    }
    if (streams.size >= maxStreams) throw refusal('This host has as many open streams as it may.', 503);
    const own = [...streams].filter((stream) =>
      session === undefined
        ? stream.session === undefined && stream.credential === credential
        : stream.session === session,
    );
    if (own.length >= (session === undefined ? maxStreamsOfCredential : maxStreamsOfSession)) {
      throw refusal('The session or the credential has as many open streams as it may: close one.', 429);
    }
  }

  return {
    open(subscriber) {
      requireRoom(subscriber);
      const body = new Readable({ read() {} });
      const stream: Stream = { ...subscriber, body };
      body.on('close', () => remove(stream));
      streams.add(stream);
      // Whatever changed before the stream began is read by its subscriber.
      body.push(beginning);
      body.push(resync);
      if (watching === undefined) begin();
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

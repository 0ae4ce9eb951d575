import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { consoleHeader, endSession } from '../api/client.ts';
import { Badge } from '../components/badge.tsx';
import { texts } from '../text/english.ts';
import { liveState } from './live-state.ts';
import styles from './live-updates.module.css';

const firstWaitMs = 500;
const maxWaitMs = 30_000;
// The host sends at least a comment every 15 seconds: after this much silence, the connection is lost.
const silentMs = 40_000;

/** The first elements of the keys of queries whose data changes without user action. */
const liveKeys = new Set<unknown>([
  'deliveries',
  'delivery',
  'lane',
  'waivers',
  'waiver',
  'sent invitations',
  'day',
  'kiosks',
  'late signings',
  'destinations',
  'destination-health',
  'overview',
]);

interface ShownQuery {
  readonly queryKey: readonly unknown[];
  readonly state: { readonly data: unknown };
}

// A refresh rereads every page of a list, so longer lists are left as they are.
const maxLivePages = 3;

const isLive = ({ queryKey: [name], state }: ShownQuery) =>
  liveKeys.has(name) && !(Object(state.data).pages?.length > maxLivePages);

/** Refreshes the live queries; a call during a refresh runs one more afterwards. */
function createRefresh(queries: QueryClient): () => Promise<void> {
  let isRunning = false;
  let isDue = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      await queries.invalidateQueries({ predicate: isLive });
    }
    isRunning = false;
  };
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });

/**
 * Reads the event stream until it ends or the signal aborts; calls `onChange` when anything has changed. `EventSource`
 * cannot send the header that the session requires.
 *
 * @returns whether the host currently refuses further streams
 */
async function readEvents(signal: AbortSignal, onChange: () => void): Promise<boolean> {
  const silence = new AbortController();
  const response = await fetch('/v1/admin/events', {
    headers: { ...consoleHeader, accept: 'text/event-stream' },
    signal: AbortSignal.any([signal, silence.signal]),
  });
  if (response.status === 401) endSession();
  if (!response.ok || response.body === null) return response.status === 429 || response.status === 503;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const timer = setTimeout(() => silence.abort(), silentMs);
    const { done, value = '' } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return false;
    // Lines that start with a colon are keep-alive comments; any event means that something has changed.
    if (/[^:\s]/.test(value)) onChange();
  }
}

/** Follows the stream until the signal aborts, reconnecting whenever it ends. */
async function follow(signal: AbortSignal, refresh: () => Promise<void>): Promise<void> {
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    const isRefused = await readEvents(signal, () => {
      waitMs = firstWaitMs;
      liveState.set('live');
      void refresh();
    }).catch(() => false);
    if (signal.aborted) return;
    const wasLive = liveState.get() === 'live';
    liveState.set('reconnecting');
    // Polling takes over from here.
    if (wasLive) void refresh();
    // Jitter, so that the consoles of a host that shuts down do not all reconnect at once.
    await wait((isRefused ? maxWaitMs : waitMs) * (0.5 + Math.random()), signal);
  }
}

/** Keeps pages up to date while they are visible. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const refresh = createRefresh(queries);
    let stream: AbortController | undefined;

    function stop(): void {
      stream?.abort();
      stream = undefined;
      liveState.set('connecting');
    }

    function onVisibility(): void {
      if (document.visibilityState === 'hidden') {
        stop();
      } else if (stream === undefined) {
        stream = new AbortController();
        void follow(stream.signal, refresh);
      }
    }

    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      stop();
    };
  }, [queries]);
}

/** Shows whether changes are pushed or polled. */
export function LiveBadge() {
  const state = useSyncExternalStore(liveState.subscribe, liveState.get);
  return (
    <span role="status" className={styles.badge} title={texts.live.hints[state]}>
      <Badge tone={state === 'live' ? 'good' : state === 'connecting' ? 'neutral' : 'warning'}>
        <span className="wide-only">{texts.live.states[state]}</span>
      </Badge>
    </span>
  );
}

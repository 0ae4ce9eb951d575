import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { Badge } from '../components/badge.tsx';
import { texts } from '../text/english.ts';
import { createEventApplier } from './apply-events.ts';
import { readEventStream, StreamRefused } from './event-stream.ts';
import { liveState } from './live-state.ts';
import styles from './live-updates.module.css';

const firstWaitMs = 500;
const maxWaitMs = 30_000;
// A tab that is not looked at gives its connection to others after a while.
const hiddenForMs = 30_000;

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Follows the stream until the signal aborts, opening it again whenever it ends. */
async function follow(
  signal: AbortSignal,
  { apply, refreshAll }: ReturnType<typeof createEventApplier>,
): Promise<void> {
  for (let waitMs = firstWaitMs; !signal.aborted; ) {
    let failure: unknown;
    try {
      await readEventStream(signal, (event) => {
        waitMs = firstWaitMs;
        liveState.set('live');
        apply(event);
      });
    } catch (error) {
      failure = error;
    }
    if (signal.aborted) return;
    const wasLive = liveState.get() === 'live';
    liveState.set('reconnecting');
    // Read now, and every few seconds from now on.
    if (wasLive) refreshAll();
    const isRefused = failure instanceof StreamRefused;
    // At random, so that all consoles of a host that ends do not come to the next one at once.
    await wait((isRefused ? maxWaitMs : waitMs) * (0.5 + Math.random()), signal);
    waitMs = Math.min(waitMs * 2, maxWaitMs);
  }
}

/** Keeps what the pages show up to date while they are looked at. */
export function useLiveUpdates(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const applier = createEventApplier(queries);
    let stream: AbortController | undefined;
    let hiding: ReturnType<typeof setTimeout> | undefined;

    function stop(): void {
      stream?.abort();
      stream = undefined;
      liveState.set('connecting');
    }

    function onVisibility(): void {
      clearTimeout(hiding);
      if (document.visibilityState === 'hidden') {
        hiding = setTimeout(stop, hiddenForMs);
      } else if (stream === undefined) {
        stream = new AbortController();
        void follow(stream.signal, applier);
      }
    }

    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(hiding);
      stop();
      applier.close();
    };
  }, [queries]);
}

/** Says whether changes come by themselves. */
export function LiveBadge() {
  const state = useSyncExternalStore(liveState.subscribe, liveState.get);
  return (
    <span role="status" className={styles.badge} title={texts.live.hints[state]}>
      <Badge tone={state === 'live' ? 'good' : state === 'connecting' ? 'neutral' : 'warning'}>
        {texts.live.states[state]}
      </Badge>
    </span>
  );
}

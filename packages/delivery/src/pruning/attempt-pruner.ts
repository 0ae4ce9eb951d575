import { setTimeout as delay } from 'node:timers/promises';
import type { Outbox } from '@waiver-service/outbox';
import type { DispatcherListener } from '../dispatcher/events.ts';

export interface AttemptPrunerOptions {
  readonly outbox: Pick<Outbox, 'pruneAttempts'>;
  /** Older attempts are removed (`ATTEMPT_RETENTION`), in milliseconds. */
  readonly retentionMs: number;
  readonly onEvent: DispatcherListener;
  /** Milliseconds from one round to the next; an hour by default. */
  readonly everyMs?: number;
}

// Small, so that transactions are short.
const batch = 1_000;
const restMs = 50;
const hourMs = 3_600_000;

/** Removes old attempts, a round an hour, in small batches. Several hosts may do it at once. */
export function startAttemptPruner(options: AttemptPrunerOptions): { stop(): Promise<void> } {
  const { outbox, retentionMs, onEvent, everyMs = hourMs } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {});

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const pruned = await outbox.pruneAttempts(retentionMs, batch).catch((error: unknown) => {
        onEvent({ type: 'fault', doing: 'pruning attempts', error });
        return 0;
      });
      await rest(pruned < batch ? everyMs : restMs);
    }
  }
  const running = run();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Outbox, PausePolicy } from '@waiver-service/outbox';
import { type DeliveryPolicy, decideLoss, healthOf, holdsOf } from '../policy/decide.ts';
import type { EndedAttempt } from './in-flight.ts';
import type { DispatcherListener } from './send-message.ts';

/** The dependencies of an attempt writer. */
export interface AttemptWriterOptions {
  readonly outbox: Pick<Outbox, 'record' | 'giveUp' | 'hold' | 'recordHealth'>;
  readonly policy: PausePolicy & Pick<DeliveryPolicy, 'retrySchedule'>;
  readonly onEvent: DispatcherListener;
  /** Whether to give up on attempts that the database does not accept now. */
  readonly isGivenUp: () => boolean;
}

/**
 * Writes ended attempts for the dispatcher that sent them. Resolves when they are written, or never will be. Never
 * rejects.
 */
export type AttemptWriter = (dispatcher: string, ended: readonly EndedAttempt[]) => Promise<void>;

const successEveryMs = 5_000;
const maxRemembered = 10_000;
const firstWaitMs = 50;
const maxWaitMs = 2_000;

// SQLSTATE classes: connection exception, transaction rollback, insufficient resources, object not in the required
// state, operator intervention, system error.
const passingClasses = new Set(['08', '40', '53', '55', '57', '58']);

/** Whether PostgreSQL rejected the values, so that the same statement can never succeed. */
function isPermanent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !passingClasses.has(code.slice(0, 2));
}

/**
 * Creates an attempt writer. It retries while the database is unavailable; if the lease expires meanwhile, the process
 * that takes over sends the messages again. An attempt that the database permanently rejects does not delay the others:
 * its message is put in doubt, as after a lost lease, and resent a limited number of times.
 */
export function createAttemptWriter(options: AttemptWriterOptions): AttemptWriter {
  const { outbox, policy, onEvent, isGivenUp } = options;
  const successReportedAt = new Map<string, number>();

  // Attempts that were aborted, or failed because of the service, say nothing about the partner; successes of healthy
  // destinations are reported rarely.
  function isReportable({ destination, finished, result, wasFailing }: EndedAttempt): boolean {
    if (finished.decision.kind === 'release' || finished.decision.kind === 'cancelled') return false;
    if (result.outcome !== 'accepted' || wasFailing) return true;
    return (
      performance.now() - (successReportedAt.get(destination) ?? Number.NEGATIVE_INFINITY) > successEveryMs
    );
  }

  async function recordHealth(ended: readonly EndedAttempt[]): Promise<void> {
    const health = healthOf(ended.filter(isReportable));
    for (const { destination, change } of await outbox.recordHealth(health, policy)) {
      onEvent({ type: change, destination });
    }
    if (successReportedAt.size > maxRemembered) successReportedAt.clear();
    for (const { destination, failures } of health) {
      if (failures === 0) successReportedAt.set(destination, performance.now());
      else successReportedAt.delete(destination);
    }
  }

  async function write(dispatcher: string, ended: readonly EndedAttempt[]): Promise<void> {
    // Before freeing the lanes, so that no other message is sent in between.
    await outbox.hold(holdsOf(ended));
    // Recording is idempotent, so it can be repeated after a failure.
    await outbox.record(
      dispatcher,
      ended.map(({ finished }) => finished),
    );
    await recordHealth(ended);
  }

  async function giveUp(dispatcher: string, { finished }: EndedAttempt): Promise<void> {
    const { id, batch, attempt } = finished;
    try {
      await outbox.giveUp(dispatcher, { id, batch, at: attempt.at }, decideLoss(policy));
    } catch (error) {
      // Stays in the journal, so a takeover puts it in doubt.
      onEvent({ type: 'fault', doing: 'recording attempts', error });
    }
  }

  async function writeAll(dispatcher: string, ended: readonly EndedAttempt[]): Promise<void> {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
      try {
        return await write(dispatcher, ended);
      } catch (error) {
        onEvent({ type: 'fault', doing: 'recording attempts', error });
        if (isPermanent(error)) return writeEach(dispatcher, ended, error);
        if (isGivenUp()) return;
      }
      await delay(waitMs);
    }
  }

  async function writeEach(
    dispatcher: string,
    ended: readonly EndedAttempt[],
    error: unknown,
  ): Promise<void> {
    const [only] = ended;
    if (only !== undefined && ended.length === 1) {
      const { id: delivery, pool } = only.finished;
      onEvent({ type: 'unrecorded', delivery, pool, error });
      return giveUp(dispatcher, only);
    }
    for (const each of ended) await writeAll(dispatcher, [each]);
  }

  return writeAll;
}

interface AttemptPrunerOptions {
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

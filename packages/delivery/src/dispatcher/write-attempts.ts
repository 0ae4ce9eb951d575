import { setTimeout as delay } from 'node:timers/promises';
import type { Outbox, PausePolicy } from '@waiver-service/store';
import { type DeliveryPolicy, decideLoss } from '../policy/decide.ts';
import { healthOf } from '../policy/destination-health.ts';
import { holdsOf } from '../policy/holds.ts';
import type { DispatcherListener } from './events.ts';
import type { EndedAttempt } from './send-message.ts';

/** How attempts are written. */
export interface AttemptWriterOptions {
  readonly outbox: Pick<Outbox, 'record' | 'giveUp' | 'hold' | 'recordHealth'>;
  readonly policy: PausePolicy & Pick<DeliveryPolicy, 'retrySchedule'>;
  readonly onEvent: DispatcherListener;
  /** Whether what the database does not take now is to be left. */
  readonly isGivenUp: () => boolean;
}

/**
 * Writes attempts that have ended, for the dispatcher that sent them; resolves when they are written, or when it is
 * sure that they will not be. Never rejects.
 */
export type AttemptWriter = (dispatcher: string, ended: readonly EndedAttempt[]) => Promise<void>;

const successEveryMs = 5_000;
const maxRemembered = 10_000;
const firstWaitMs = 50;
const maxWaitMs = 2_000;

// Connection lost, transaction rolled back, no resources, lock not available, shut down, system error.
const passingClasses = new Set(['08', '40', '53', '55', '57', '58']);

/** Whether PostgreSQL refused the values themselves: the same statement will never succeed. */
function isRefusedForGood(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !passingClasses.has(code.slice(0, 2));
}

/**
 * Makes an attempt writer. While the database is away, it tries again; if the lease runs out meanwhile, whoever takes
 * over sends the messages again. An attempt that the database refuses for good does not hold up the others: its message
 * is in doubt, as it would be after a lost lease, and goes again a limited number of times.
 */
export function createAttemptWriter(options: AttemptWriterOptions): AttemptWriter {
  const { outbox, policy, onEvent, isGivenUp } = options;
  const successToldAt = new Map<string, number>();

  // An attempt that we gave up or did wrong ourselves says nothing of the partner; a success where all is well is told
  // seldom.
  function tells({ destination, finished, result, wasFailing }: EndedAttempt): boolean {
    if (finished.decision.kind === 'release' || finished.decision.kind === 'cancelled') return false;
    if (result.outcome !== 'accepted' || wasFailing) return true;
    return performance.now() - (successToldAt.get(destination) ?? Number.NEGATIVE_INFINITY) > successEveryMs;
  }

  async function recordHealth(ended: readonly EndedAttempt[]): Promise<void> {
    const health = healthOf(ended.filter(tells));
    for (const { destination, change } of await outbox.recordHealth(health, policy)) {
      onEvent({ type: change, destination });
    }
    if (successToldAt.size > maxRemembered) successToldAt.clear();
    for (const { destination, failures } of health) {
      if (failures === 0) successToldAt.set(destination, performance.now());
      else successToldAt.delete(destination);
    }
  }

  async function write(dispatcher: string, ended: readonly EndedAttempt[]): Promise<void> {
    // Before the lanes are free, so that no other message slips through.
    await outbox.hold(holdsOf(ended));
    // Recording twice changes nothing, so that a failure after it may repeat it.
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
      // It stays in the journal: whoever takes over puts it in doubt.
      onEvent({ type: 'fault', doing: 'recording', error });
    }
  }

  async function writeAll(dispatcher: string, ended: readonly EndedAttempt[]): Promise<void> {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
      try {
        return await write(dispatcher, ended);
      } catch (error) {
        onEvent({ type: 'fault', doing: 'recording', error });
        if (isRefusedForGood(error)) return writeEach(dispatcher, ended, error);
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
      onEvent({ type: 'unrecorded', delivery: only.finished.id, error });
      return giveUp(dispatcher, only);
    }
    for (const each of ended) await writeAll(dispatcher, [each]);
  }

  return writeAll;
}

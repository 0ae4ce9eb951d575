import { setTimeout as delay } from 'node:timers/promises';
import type { FinishedDelivery, Outbox, PausePolicy } from '@waiver-service/store';
import { type HealthSign, healthOf } from '../policy/destination-health.ts';
import { type HoldSign, holdsOf } from '../policy/holds.ts';
import type { DispatcherListener } from './events.ts';

/** A try that has ended. */
export interface EndedTry extends HealthSign, HoldSign {
  /** A success would change how the destination stands: it failed before. */
  readonly wasFailing: boolean;
  readonly finished: FinishedDelivery;
}

/** Writes down what has ended, many at a time. */
export interface Recorder {
  /**
   * Resolves when it is recorded, or when it is sure that it will not be: whether its lane has more to send at once.
   */
  record(ended: EndedTry): Promise<boolean>;
  /** Tries no more what the database does not take now. */
  giveUp(): void;
}

/** What a recorder is made with. */
export interface RecorderOptions {
  readonly outbox: Pick<Outbox, 'finish' | 'hold' | 'recordHealth'>;
  readonly policy: PausePolicy;
  readonly onEvent: DispatcherListener;
  /** Whether other tries are under way: their ends may be recorded together with what waits. */
  readonly isMoreToCome: () => boolean;
}

interface Waiting {
  readonly ended: EndedTry;
  readonly resolve: (hasMore: boolean) => void;
}

/** What was recorded, by the delivery's id. */
type Recorded = ReadonlyMap<string, boolean>;
const nothing: Recorded = new Map();

// More at once gains nothing.
const batch = 250;
// One statement for many costs far less than many statements; nobody waits for a record but the lane's next message.
const gatherMs = 10;
const successEveryMs = 5_000;
const mostRemembered = 10_000;
const firstWaitMs = 50;
const longestWaitMs = 2_000;

// Connection lost, transaction rolled back, no resources, lock not available, shut down, system error.
const passingClasses = new Set(['08', '40', '53', '55', '57', '58']);

/** Whether PostgreSQL refused the values themselves: the same statement will never succeed. */
function isRefusedForGood(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !passingClasses.has(code.slice(0, 2));
}

/**
 * Makes a recorder. While the database is away, it tries again; the leases run out in the meantime and what was sent
 * is sent again by whoever takes the lane. One try that the database refuses does not hold up the others: it is
 * left to its lease, and the number of leases that a delivery may lose is limited.
 */
export function createRecorder({ outbox, policy, onEvent, isMoreToCome }: RecorderOptions): Recorder {
  const queue: Waiting[] = [];
  const successToldAt = new Map<string, number>();
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  let runsAt = 0;
  let isGivenUp = false;

  // What we gave up or did wrong ourselves says nothing of the partner; a success where all is well is told seldom.
  function tells({ destination, finished, result, wasFailing }: EndedTry): boolean {
    if (finished.decision.kind === 'release' || finished.decision.kind === 'cancelled') return false;
    if (result.outcome !== 'accepted' || wasFailing) return true;
    return performance.now() - (successToldAt.get(destination) ?? Number.NEGATIVE_INFINITY) > successEveryMs;
  }

  async function recordHealth(ended: readonly EndedTry[]): Promise<void> {
    const health = healthOf(ended.filter(tells));
    for (const { destination, change } of await outbox.recordHealth(health, policy)) {
      onEvent({ type: change, destination });
    }
    if (successToldAt.size > mostRemembered) successToldAt.clear();
    for (const { destination, failures } of health) {
      if (failures === 0) successToldAt.set(destination, performance.now());
      else successToldAt.delete(destination);
    }
  }

  async function write(ended: readonly EndedTry[]): Promise<Recorded> {
    // Before the lanes are free, so that no other message slips through.
    await outbox.hold(holdsOf(ended));
    // Recording twice changes nothing, so that a failure after it may repeat it.
    const recorded = await outbox.finish(ended.map(({ finished }) => finished));
    await recordHealth(ended);
    return recorded;
  }

  async function writeSurely(ended: readonly EndedTry[]): Promise<Recorded> {
    for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
      try {
        return await write(ended);
      } catch (error) {
        onEvent({ type: 'fault', doing: 'recording', error });
        if (isRefusedForGood(error)) {
          return await writeApart(ended, error);
        }
        if (isGivenUp) return nothing;
      }
      await delay(wait);
    }
  }

  async function writeApart(ended: readonly EndedTry[], error: unknown): Promise<Recorded> {
    const [only] = ended;
    if (only !== undefined && ended.length === 1) {
      onEvent({ type: 'unrecorded', delivery: only.finished.id, error });
      return nothing;
    }
    const recorded = new Map<string, boolean>();
    for (const each of ended)
      for (const [id, hasMore] of await writeSurely([each])) recorded.set(id, hasMore);
    return recorded;
  }

  async function run(): Promise<void> {
    timer = undefined;
    isRunning = true;
    const taken = queue.splice(0, batch);
    const recorded = await writeSurely(taken.map(({ ended }) => ended));
    for (const { ended, resolve } of taken) resolve(recorded.get(ended.finished.id) ?? false);
    isRunning = false;
    plan();
  }

  function plan(): void {
    if (isRunning || queue.length === 0) return;
    const waits = queue.length < batch && isMoreToCome();
    const at = performance.now() + (waits ? gatherMs : 0);
    if (timer !== undefined && runsAt <= at) return;
    clearTimeout(timer);
    runsAt = at;
    timer = setTimeout(run, waits ? gatherMs : 0);
  }

  return {
    record(ended) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      queue.push({ ended, resolve });
      plan();
      return promise;
    },
    giveUp() {
      isGivenUp = true;
    },
  };
}

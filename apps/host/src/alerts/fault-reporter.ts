import type { AlertOccurrence } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';

type FaultOccurrence = Extract<AlertOccurrence, { event: 'fault' }>;

/** Reports faults of the service itself, so that operators are alerted. */
export interface Faults {
  /**
   * @param subject - the part that failed, from a small set: repeats are counted, not alerted again
   * @param detail - a sentence for people, without secrets or guests' data
   */
  report(subject: string, detail: string): void;
}
export const Faults: ServiceIdentifier<Faults> = Symbol('Faults');

/** Writes faults to the database in batches. */
export interface FaultReporter extends Faults {
  /** Starts storing faults, including those already reported. */
  connect(note: (fault: FaultOccurrence) => Promise<void>): void;
  /** Stores the remaining faults. */
  close(): Promise<void>;
}

const flushAfterMs = 1_000;
const maxSubjects = 100;

/**
 * Creates the reporter of this process. Faults wait in memory while the database is unavailable. They are lost if the
 * host is killed before they are stored; the log still has them.
 */
export function createFaultReporter(): FaultReporter {
  const unsaved = new Map<string, FaultOccurrence>();
  let store: ((fault: FaultOccurrence) => Promise<void>) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  function add(fault: FaultOccurrence): void {
    const { subject } = fault;
    const former = unsaved.get(subject);
    if (former === undefined && unsaved.size === maxSubjects) return;
    unsaved.set(subject, { ...fault, occurred: fault.occurred + (former?.occurred ?? 0) });
    if (store !== undefined) timer ??= setTimeout(flushSoon, flushAfterMs).unref();
  }

  async function flush(): Promise<void> {
    const faults = [...unsaved.values()];
    unsaved.clear();
    for (const fault of faults) await store?.(fault).catch(() => add(fault));
  }

  function flushSoon(): void {
    timer = undefined;
    flushing = flushing.then(flush);
  }

  return {
    report: (subject, detail) => add({ event: 'fault', subject, detail, occurred: 1 }),
    connect(note) {
      store = note;
      flushSoon();
    },
    async close() {
      clearTimeout(timer);
      await flushing;
      await flush();
      clearTimeout(timer);
    },
  };
}

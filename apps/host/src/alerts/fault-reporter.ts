import type { AlertOccurrence } from '@waiver-service/store';

type FaultOccurrence = Extract<AlertOccurrence, { event: 'fault' }>;

/** Reports faults of the service itself, so that operators are alerted. */
export interface Faults {
  /**
   * @param subject - what failed, of few different ones: the same again is counted, not told again and again
   * @param detail - a sentence for people, without secrets and guests' data
   */
  report(subject: string, detail: string): void;
}

/** Passes faults on to the database, a little later and together. */
export interface FaultReporter extends Faults {
  /** From now on faults are stored; those from before are not lost. */
  connect(note: (fault: FaultOccurrence) => Promise<void>): void;
  /** Stores what is left. */
  close(): Promise<void>;
}

const flushAfterMs = 1_000;
const maxSubjects = 100;

/**
 * Creates the reporter of this process. It holds faults in memory while the database cannot be used. Faults are lost if
 * the host is killed meanwhile; the log still has them.
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

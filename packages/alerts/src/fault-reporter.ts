import type { Faults } from '@waiver-service/http';
import type { PluginLog } from '@waiver-service/integration/load-plugins';
import type { Occurrence } from '@waiver-service/outbox';
import type { StoreEvent } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';

/** Writes faults to the database in batches. */
export interface FaultReporter extends Faults {
  /** Starts storing faults, including those already reported. */
  connect(raise: (fault: Occurrence) => Promise<void>): void;
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
  const unsaved = new Map<string, { readonly detail: string; readonly times: number }>();
  let store: ((fault: Occurrence) => Promise<void>) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  function add(subject: string, detail: string, times: number): void {
    const former = unsaved.get(subject);
    if (former === undefined && unsaved.size === maxSubjects) return;
    unsaved.set(subject, { detail, times: times + (former?.times ?? 0) });
    if (store !== undefined) timer ??= setTimeout(flushSoon, flushAfterMs).unref();
  }

  async function flush(): Promise<void> {
    const faults = [...unsaved];
    unsaved.clear();
    for (const [subject, { detail, times }] of faults)
      await store?.({ event: 'fault', subject, detail, times }).catch(() => add(subject, detail, times));
  }

  function flushSoon(): void {
    timer = undefined;
    flushing = flushing.then(flush);
  }

  return {
    report: (subject, detail) => add(subject, detail, 1),
    connect(raise) {
      store = raise;
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

/** Logs each plugin that cannot be used, and reports it as a fault. */
export const reportPlugins = (log: Pick<FastifyBaseLogger, 'warn'>, faults: Faults): PluginLog => ({
  warn(fields, sentence) {
    log.warn(fields, sentence);
    // Without the reason: the plugin wrote it, and it may contain anything.
    const name = fields.package;
    faults.report(`plugin ${name}`, `The plugin ${name} is not used. The log says why.`);
  },
});

/** Transient events are only logged. */
const sentences: Readonly<
  Record<Exclude<StoreEvent['kind'], 'connection-lost' | 'migration-waits'>, string>
> = {
  'background-job-failed': 'A background job fails, and is tried again.',
  'booking-not-saved': 'A booking that was read could not be stored.',
};

/** Logs the store's events, and alerts operators of faults. */
export const reportNotices =
  (log: Pick<FastifyBaseLogger, 'warn'>, faults: Faults) =>
  (event: StoreEvent): void => {
    log.warn(event, 'database');
    if (event.kind === 'connection-lost' || event.kind === 'migration-waits') return;
    faults.report(event.kind, `${sentences[event.kind]} The log says why.`);
  };

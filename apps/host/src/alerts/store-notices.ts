import type { StoreEvent } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import type { Faults } from './fault-reporter.ts';

/** Events that pass by themselves are in the log alone. */
const sentences: Readonly<
  Record<Exclude<StoreEvent['kind'], 'connection-lost' | 'migration-waits'>, string>
> = {
  'background-job-failed': 'A background job fails, and is tried again.',
  'pruning-failed': 'Old bookings cannot be removed; it is tried again.',
  'replica-failed': 'The read replica fails; lists come from the primary meanwhile.',
  'booking-not-saved': 'A booking that was read could not be stored.',
};

/** Reports what the store met to the log, and faults to the alerts. */
export const reportNotices =
  (log: Pick<FastifyBaseLogger, 'warn'>, faults: Faults) =>
  (event: StoreEvent): void => {
    log.warn(event, 'database');
    if (event.kind === 'connection-lost' || event.kind === 'migration-waits') return;
    faults.report(event.kind, `${sentences[event.kind]} The log says why.`);
  };

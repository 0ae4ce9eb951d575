import type { StoreEvent } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import type { Faults } from './fault-reporter.ts';

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

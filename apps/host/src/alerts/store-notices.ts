import type { StoreEvent } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import { databaseProblem } from '../settings/start-problem.ts';
import type { Faults } from './fault-reporter.ts';

/** Transient events are only logged. */
const sentences: Readonly<
  Record<Exclude<StoreEvent['kind'], 'connection-lost' | 'migration-waits'>, string>
> = {
  'background-job-failed': 'A background job fails, and is tried again.',
  'replica-failed': 'The read replica (DATABASE_READ_URL) fails; lists come from the primary meanwhile.',
  'booking-not-saved': 'A booking that was read could not be stored.',
};

/** Logs the store's events, and alerts operators of faults. */
export const reportNotices =
  (log: Pick<FastifyBaseLogger, 'warn'>, faults: Faults) =>
  (event: StoreEvent): void => {
    if (event.kind === 'replica-failed') {
      const { cause, ...notice } = event;
      const problem = databaseProblem(cause, 'DATABASE_READ_URL');
      log.warn(problem instanceof Error ? { ...notice, message: problem.message } : notice, 'database');
    } else {
      log.warn(event, 'database');
    }
    if (event.kind === 'connection-lost' || event.kind === 'migration-waits') return;
    faults.report(event.kind, `${sentences[event.kind]} The log says why.`);
  };

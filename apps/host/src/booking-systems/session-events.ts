import type { FastifyBaseLogger } from 'fastify';
import type { SessionEvent } from './session-renewals.ts';

const sentences: Readonly<Record<SessionEvent['type'], string>> = {
  lost: 'a booking system gives no token to an installation: it needs attention',
  regained: 'a booking system gives tokens to an installation again',
  unrecorded: 'a new token could not be recorded: this process uses it, others will need a new one',
};

/** Reports what happens to authorizations to the log. */
export const reportSessions =
  (log: Pick<FastifyBaseLogger, 'info' | 'warn'>) =>
  ({ type, installation, error }: SessionEvent): void => {
    const { pool, bookingSystem, destination } = installation;
    const level = type === 'regained' ? 'info' : 'warn';
    log[level]({ pool, bookingSystem, destination, err: error }, sentences[type]);
  };

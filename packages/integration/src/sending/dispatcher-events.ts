import type { DispatcherEvent, DispatcherListener } from '@waiver-service/delivery';
import type { Faults } from '@waiver-service/http';
import { isDatabaseAway } from '@waiver-service/http';
import type { FastifyBaseLogger } from 'fastify';
import type { ServiceIdentifier } from 'inversify';

export type AttemptEvent = Extract<DispatcherEvent, { type: 'attempt' }>;

/** The traces of attempts to send. */
export interface AttemptTracing {
  /** Adds an attempt that has just ended to the trace of its change. Returns the id of that trace if it is sampled. */
  recordAttempt(event: AttemptEvent): string | undefined;
}
export const AttemptTracing: ServiceIdentifier<AttemptTracing> = Symbol('AttemptTracing');

// Accepted attempts are counted and stored; a log line for each would drown out the rest.
const levelOf = ({ result, error }: AttemptEvent) => {
  if (error !== undefined) return 'error';
  return result.outcome === 'accepted' ? 'debug' : 'info';
};

function logAttempt(event: AttemptEvent, log: FastifyBaseLogger, traceId: string | undefined): void {
  const level = levelOf(event);
  const { message, result, decision, retryInMs, error } = event;
  const { id, kind, pool, destination, bookingSystem, waiverId, version, attempts, trigger } = message;
  const { outcome, status, errorCode, durationMs } = result;
  const fields = {
    delivery: id,
    kind,
    pool,
    destination,
    bookingSystem: bookingSystem ?? undefined,
    waiverId,
    version,
    attempt: attempts + 1,
    trigger,
    outcome,
    status,
    errorCode,
    durationMs: Math.round(durationMs),
    decision,
    retryInMs,
    traceId,
  };
  if (error === undefined) log[level](fields, 'delivery attempted');
  else log.error({ ...fields, err: error }, 'delivery could not be attempted');
}

const couldNotAttempt = [
  'attempts',
  'A message could not be sent by a fault of the service or its settings. The log says which.',
] as const;
const couldNotRecord = [
  'records of attempts',
  'The database refused the record of an attempt: the message is sent again. The log says why.',
] as const;
// A fault in sending alerts is only logged: an alert about it could fail in the same way.
const poolOfAlerts = '';

/** Reports the dispatcher's events to the log and the traces, and faults of the service to the alerts. */
export function reportDispatcher(
  log: FastifyBaseLogger,
  faults: Faults,
  tracing: AttemptTracing,
): DispatcherListener {
  return (event) => {
    switch (event.type) {
      case 'attempt':
        logAttempt(event, log, tracing.recordAttempt(event));
        if (event.error !== undefined && event.message.kind !== 'alert') faults.report(...couldNotAttempt);
        return;
      case 'paused':
      case 'resumed':
        log.warn({ destination: event.destination }, `destination ${event.type}`);
        return;
      case 'reclaimed':
        log.info({ messages: event.messages }, 'messages of a lost process were taken over');
        return;
      case 'leases-lost':
        log.warn(
          { messages: event.messages },
          'the lease expired; another process has taken over these messages',
        );
        return;
      case 'leases-unrenewed':
        log.warn(
          { messages: event.messages },
          'the lease could not be renewed in time; sends were aborted before another process may take over',
        );
        return;
      case 'unrecorded':
        log.error({ err: event.error, delivery: event.delivery }, 'an attempt could not be recorded');
        if (event.pool !== poolOfAlerts) faults.report(...couldNotRecord);
        return;
      case 'fault':
        log.error({ err: event.error }, `the dispatcher failed while ${event.doing}; it will retry`);
        if (!isDatabaseAway(event.error))
          faults.report(
            `dispatcher ${event.doing}`,
            `The dispatcher failed while ${event.doing}, and will retry. The log says why.`,
          );
    }
  };
}

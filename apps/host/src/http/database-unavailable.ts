import { isNotifyQueueFull } from '@waiver-service/store';
import { HttpProblem } from './http-problem.ts';

// SQLSTATE classes: connection exception (08), insufficient resources (53), operator intervention (57: shutdown,
// startup, statement timeout). 25006: the server is read-only, for example a demoted primary.
const passingClass = /^(?:(?:08|53|57)[0-9A-Z]{3}|25006)$/;
const networkCalls = new Set(['connect', 'read', 'write', 'getaddrinfo']);
// Errors of the driver itself have no code.
const driverMessage =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired$|Client (?:was closed|has encountered))/;

/**
 * Whether an error means that the database is currently unavailable. Failed calls to partners are errors of core, which
 * are handled earlier.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Contains one error for each address of the host name.
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (isNotifyQueueFull(error)) return true;
  if ('code' in error && typeof error.code === 'string' && passingClass.test(error.code)) return true;
  if ('syscall' in error && typeof error.syscall === 'string') return networkCalls.has(error.syscall);
  return driverMessage.test(error.message);
}

const notifyQueueFull = (cause: Error) =>
  new HttpProblem(
    503,
    'database_unavailable',
    'The database’s queue of notifications is full, so nothing was changed: send the request again, unchanged. A session that listens has had a transaction open for long: see pg_stat_activity and pg_notification_queue_usage().',
    { headers: { 'retry-after': '30' }, cause },
  );

/** The response while the database is unavailable or has no free connection; `undefined` for other errors. */
export function databaseUnavailable(error: Error): HttpProblem | undefined {
  if (!isDatabaseAway(error)) return undefined;
  if (isNotifyQueueFull(error)) return notifyQueueFull(error);
  return new HttpProblem(
    503,
    'database_unavailable',
    'The database cannot be used at the moment. Nothing is wrong with the request: send it again, unchanged.',
    { headers: { 'retry-after': '5' }, cause: error },
  );
}

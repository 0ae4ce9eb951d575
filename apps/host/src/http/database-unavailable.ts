import { HttpProblem } from './http-problem.ts';

// SQLSTATE classes: the connection is lost (08), no resources such as connections (53), an operator's doing: shut down,
// starting, a statement ended because it took too long (57). And a server that takes no writes: a primary that was
// demoted (25006).
const passingClass = /^(?:(?:08|53|57)[0-9A-Z]{3}|25006)$/;
const networkCalls = new Set(['connect', 'read', 'write', 'getaddrinfo']);
// The driver's own errors have no code.
const driverSays =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired$|Client (?:was closed|has encountered))/;

/**
 * Whether an error says that the database cannot be used now. Partners are not meant: what goes wrong with a call to
 * one is an error of core's, and known before.
 */
function isDatabaseAway(error: Error): boolean {
  // One error for each address of the name.
  if (error instanceof AggregateError)
    return error.errors.some((one) => one instanceof Error && isDatabaseAway(one));
  if ('code' in error && typeof error.code === 'string' && passingClass.test(error.code)) return true;
  if ('syscall' in error && typeof error.syscall === 'string') return networkCalls.has(error.syscall);
  return driverSays.test(error.message);
}

/** The answer while the database is away or has no connection free; `undefined` for an error of another kind. */
export function databaseUnavailable(error: Error): HttpProblem | undefined {
  if (!isDatabaseAway(error)) return undefined;
  return new HttpProblem(
    503,
    'database_unavailable',
    'The database cannot be used at the moment. Nothing is wrong with the request: send it again, unchanged.',
    { headers: { 'retry-after': '5' }, cause: error },
  );
}

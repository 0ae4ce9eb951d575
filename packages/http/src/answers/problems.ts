import { isBookingSystemError, requestedWaitMs } from '@waiver-service/core';
import {
  isNotifyQueueFull,
  ListTooSlow,
  MalformedCursor,
  maxListMs,
  type Page,
} from '@waiver-service/database';
import type { FastifyError } from 'fastify';

/** One fault in a body, a query or a path. `path` has the form `guests[2].name`. */
export interface ProblemDetail {
  readonly path: string;
  readonly message: string;
}

interface HttpProblemExtras {
  readonly errors?: readonly ProblemDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * An error response. Thrown by a route, it becomes `{"success":false,"message":…,"code":…}` with its status, and
 * `errors` if it has details.
 */
export class HttpProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly ProblemDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, extras: HttpProblemExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'HttpProblem';
    this.status = status;
    this.code = code;
    this.errors = extras.errors;
    this.headers = extras.headers ?? {};
  }
}

/** 400: names each fault in a body, a query or a path. */
export function malformed(errors: readonly ProblemDetail[]): HttpProblem {
  const sentence = errors
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
  return new HttpProblem(400, 'malformed', sentence, { errors });
}

export function unknownPool(pool: string): HttpProblem {
  return new HttpProblem(404, 'unknown_pool', `There is no pool ${JSON.stringify(pool)}.`);
}

/** Replaces a message that may quote a guest. */
export const hiddenMessage = 'Not shown to viewers, since it may quote a guest.';

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
function databaseUnavailable(error: Error): HttpProblem | undefined {
  if (!isDatabaseAway(error)) return undefined;
  if (isNotifyQueueFull(error)) return notifyQueueFull(error);
  return new HttpProblem(
    503,
    'database_unavailable',
    'The database cannot be used at the moment. Nothing is wrong with the request: send it again, unchanged.',
    { headers: { 'retry-after': '5' }, cause: error },
  );
}

/** The response to a body of an unsupported type. */
export const bodyMustBeJson = new HttpProblem(
  415,
  'unsupported_media_type',
  'The body must be JSON, with content-type: application/json.',
);

// Fastify's own errors as problems of this API.
const fastifyProblems: Readonly<Record<string, HttpProblem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new HttpProblem(
    413,
    'body_too_large',
    'The body is larger than this route takes.',
  ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: bodyMustBeJson,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new HttpProblem(
    400,
    'malformed',
    'The body is not as long as its content-length says.',
  ),
  FST_ERR_BAD_URL: new HttpProblem(400, 'malformed', 'The path is not percent-encoded as it should be.'),
  FST_ERR_MAX_PARAM_LENGTH: new HttpProblem(400, 'malformed', 'A part of the path is too long.'),
};

const internal = new HttpProblem(
  500,
  'internal',
  'Something went wrong on our side; it has been logged with the request id.',
);

const seconds = (milliseconds: number) => String(Math.max(1, Math.ceil(milliseconds / 1000)));

/** The response to a list that exceeds the time limit of lists; `undefined` for other errors. */
function listProblem(error: unknown): HttpProblem | undefined {
  if (error instanceof ListTooSlow) {
    return new HttpProblem(
      503,
      'list_too_slow',
      `This list took longer than ${maxListMs / 1000} s and was ended. Ask for less of it: narrow it down, or set a smaller limit.`,
      { headers: { 'retry-after': '5' }, cause: error },
    );
  }
  return undefined;
}

const bookingSystemStatus = {
  booking_not_found: 404,
  booking_has_other_id: 502,
  booking_system_auth_rejected: 502,
  booking_system_rate_limited: 503,
  booking_system_timeout: 504,
  booking_system_error: 502,
  booking_system_not_configured: 409,
  invalid_booking_response: 502,
  malformed_list_cursor: 400,
  waiver_rejected: 502,
} as const;

// For a booking system that asks for fewer requests but states no time.
const defaultWaitMs = 60_000;

/** The response to an error. Unexpected errors become a 500 that reveals nothing about them. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (isBookingSystemError(error)) {
    const isThrottled = error.code === 'booking_system_rate_limited';
    return new HttpProblem(bookingSystemStatus[error.code], error.code, error.message, {
      ...(isThrottled
        ? { headers: { 'retry-after': seconds(requestedWaitMs(error) ?? defaultWaitMs) } }
        : {}),
      cause: error,
    });
  }
  if (!(error instanceof Error)) return internal;
  const ofList = listProblem(error);
  if (ofList !== undefined) return ofList;
  const unavailable = databaseUnavailable(error);
  if (unavailable !== undefined) return unavailable;
  const { code = '', statusCode = 500 }: Partial<FastifyError> = error;
  const known = fastifyProblems[code];
  if (known !== undefined) return known;
  if (statusCode >= 400 && statusCode < 500) return new HttpProblem(statusCode, 'malformed', error.message);
  return internal;
}

/** The body of an error response. */
export function problemBody({ message, code, errors }: HttpProblem): object {
  return { success: false, message, code, ...(errors === undefined ? {} : { errors }) };
}

/**
 * A page of a list, mapped to its response.
 * @throws HttpProblem 400 that names `cursor` if that is malformed
 */
export async function pageOf<Item, Answer>(
  page: Promise<Page<Item>>,
  answerOf: (item: Item) => Answer,
): Promise<{ items: Answer[]; next: string | null }> {
  const { items, next } = await pageOrProblem(page);
  return { items: items.map((item) => answerOf(item)), next };
}

/**
 * Awaits a page of a list.
 * @param path - the query parameter that contains the cursor
 * @throws HttpProblem 400 that names the parameter if the cursor is malformed
 */
export async function pageOrProblem<Page>(page: Promise<Page>, path = 'cursor'): Promise<Page> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof MalformedCursor) throw malformed([{ path, message: error.message }]);
    throw error;
  }
}

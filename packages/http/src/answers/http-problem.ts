/** One fault in a body, a query or a path. `path` has the form `guests[2].name`. */
export interface ProblemDetail {
  readonly path: string;
  readonly message: string;
}

export interface HttpProblemExtras {
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

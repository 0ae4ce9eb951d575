interface ProblemFields {
  /** 0 where the host could not be reached. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** Why a call was refused, as the host's response says. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  /** The faults of the request, by field. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];

  constructor({ status, code, message, errors = [] }: ProblemFields) {
    super(
      status === 0 ? 'The service could not be reached. Check your connection; nothing was lost.' : message,
    );
    this.name = 'ApiProblem';
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** The fault of one field of the request; `undefined` for other errors. */
export const fieldErrorOf = (error: Error | null, path: string): string | undefined =>
  error instanceof ApiProblem ? error.errors.find((fault) => fault.path === path)?.message : undefined;

/** Whether a call was refused with this code. */
export const isProblem = (error: Error | null, code: string): boolean =>
  error instanceof ApiProblem && error.code === code;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function readErrors(value: unknown): { path: string; message: string }[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter(isObject)
    .map(({ path, message }) => ({ path: String(path ?? ''), message: String(message ?? '') }));
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => undefined);
  const { code, message, errors } = isObject(body) ? body : {};
  return new ApiProblem({
    status: response.status,
    code: typeof code === 'string' ? code : 'unknown',
    message: typeof message === 'string' ? message : `The service responded with status ${response.status}.`,
    errors: readErrors(errors),
  });
}

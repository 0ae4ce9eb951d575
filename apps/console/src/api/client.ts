import type { AnswerOf, ApiRoute, BodyOf, ParamsOf, QueryOf, RouteDeclaration } from '@waiver-service/api';

// The clock of a team's tablet may be a day off, and its board would be that of another day. Each answer tells the
// service's time; the difference is kept while the page is open.
let aheadMs = 0;

/** The header has whole seconds, and answers take time: by less, the device's clock is as good. */
const maxDoubtMs = 60_000;

/** Compares the device's clock with the service's, by an answer. */
export function compareClocks({ headers }: Response): void {
  const at = Date.parse(headers.get('date') ?? '');
  // A proxy's page says nothing of the service.
  if (Number.isNaN(at) || !headers.get('content-type')?.startsWith('application/json')) return;
  const differenceMs = Date.now() - at;
  aheadMs = Math.abs(differenceMs) < maxDoubtMs ? 0 : differenceMs;
}

/** The service's time; the device's until there was an answer. */
export const serviceNow = (): Date => new Date(Date.now() - aheadMs);

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

/** Called when the session has ended. */
type SignedOutListener = () => void;
let onSignedOut: SignedOutListener = () => {};

/** Called when a call is refused because the session has ended. */
export function onSessionEnd(listener: SignedOutListener): void {
  onSignedOut = listener;
}

/** The host no longer knows who is signed in. */
export const endSession = (): void => onSignedOut();

// Links and forms cannot set headers; another origin's script needs a preflight, which is refused.
export const consoleHeader = { 'X-Waiver-Console': '1' } as const;

type Method = ApiRoute['method'];
export type UrlOf<M extends Method> = Extract<ApiRoute, { readonly method: M }>['url'];
export type RouteAt<M extends Method, Url extends string> = Extract<
  ApiRoute,
  { readonly method: M; readonly url: Url }
>;

/** A part of the request: left out if the route has none, optional if it may be empty. */
type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Partial<Value> extends Value
    ? { readonly [name in Name]?: Value }
    : { readonly [name in Name]: Value };

interface Options<As> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly parseAs?: As;
}

type OptionsOf<Route extends RouteDeclaration, As> = Options<As> &
  Part<'params', ParamsOf<Route>> &
  Part<'query', QueryOf<Route>> &
  Part<'body', BodyOf<Route>>;

/** The last argument of a call: it may be left out if the route needs nothing. */
export type ArgumentsOf<Route extends RouteDeclaration, As = 'json'> =
  Partial<OptionsOf<Route, As>> extends OptionsOf<Route, As>
    ? [OptionsOf<Route, As>?]
    : [OptionsOf<Route, As>];

interface Parsed<Json> {
  readonly json: Json;
  readonly text: string;
  readonly blob: Blob;
  readonly stream: ReadableStream<Uint8Array> | null;
}
type ParseAs = keyof Parsed<unknown>;

async function parseJson(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  // A proxy's page, or nothing.
  return response.json().catch(() => {
    throw new ApiProblem({ status: 0, code: 'no_data', message: '' });
  });
}

const parse: { readonly [As in ParseAs]: (response: Response) => unknown } = {
  json: parseJson,
  text: (response) => response.text(),
  blob: (response) => response.blob(),
  stream: ({ body }) => body,
};

export interface AnyOptions extends Options<ParseAs> {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Calls a route of the host's API, as `packages/api` declares it, and returns what it answers. A refused call rejects
 * with an {@link ApiProblem}.
 */
export function call<M extends Method, Url extends UrlOf<M>, As extends ParseAs = 'json'>(
  method: M,
  url: Url,
  ...options: ArgumentsOf<RouteAt<M, Url>, As>
): Promise<Parsed<AnswerOf<RouteAt<M, Url>>>[As]>;
export function call(method: Method, url: string, options?: AnyOptions): Promise<unknown> {
  return send(method, url, options);
}

/** As {@link call}, for callers whose own signature names the route. */
export async function send(method: Method, url: string, options: AnyOptions = {}): Promise<unknown> {
  const { params = {}, query = {}, body, headers, signal, parseAs = 'json' } = options;
  const path = url.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  const response = await fetch(`${path}${search}`, {
    method,
    headers: {
      ...consoleHeader,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    credentials: 'same-origin',
  }).catch((error: unknown) => {
    throw new ApiProblem({ status: 0, code: 'unreachable', message: String(error) });
  });
  compareClocks(response);
  if (response.ok) return parse[parseAs](response);
  const problem = await problemOf(response);
  if (problem.status === 401) onSignedOut();
  throw problem;
}

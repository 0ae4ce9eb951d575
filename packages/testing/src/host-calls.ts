import {
  type BookingSystemOptions,
  type SimulatedBookingSystem,
  startBookingSystem,
} from '@waiver-service/simulator';

/** An answer of the host, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Awaited<ReturnType<Response['json']>>;
  /** The body as it came. */
  readonly text: string;
}

export interface CallOptions {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls a host: a text is sent as it is, anything else as JSON. */
export async function call(
  url: string,
  body: unknown,
  { method, token = null, headers = {} }: CallOptions & { readonly method: string },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text, text };
}

export const adminToken = 'admin-token-of-the-tests';

/** The partner's key that simulated booking systems take here. */
export const accountKey = 'key-of-the-account';

/** A text inside an answer's body; throws where there is none. */
export function textAt(body: unknown, ...path: readonly (string | number)[]): string {
  const inside = (value: unknown, step: string | number): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).find(([name]) => name === String(step))?.[1]
      : undefined;
  const value = path.reduce<unknown>(inside, body);
  if (typeof value !== 'string') throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(body)}`);
  return value;
}

/** How a host answers with a problem, for `toMatchObject`. */
export const problem = (status: number, code: string) => ({ status, body: { success: false, code } });

/** How it answers a request of which one field, or one parameter, is malformed. */
export const malformed = (path: string) => ({
  status: 400,
  body: { success: false, code: 'malformed', errors: [{ path }] },
});

/** Calls the host with one token. */
export type TestCaller = (method: string, path: string, body?: unknown) => Promise<Answer>;

function expectStatus(answer: Answer, status: number): unknown {
  if (answer.status !== status) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Callers of a host by token, and what connects its pools to booking systems. */
export interface HostCalls {
  /** With the admin token, unless told otherwise. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  as(token: string | null): TestCaller;
  readonly admin: TestCaller;
  /** Makes a pool and an access token of it. */
  makePool(pool: string, settings?: Readonly<Record<string, unknown>>): Promise<TestCaller>;
  /** A pool, and an install key of `standard`. */
  preparePool(
    pool: string,
    installName?: string,
  ): Promise<{ readonly installKey: string; readonly accessToken: string }>;
  /** Sets a booking system's address and installs it for a pool, by hand. */
  connect(installName: string, system: { readonly url: string }, pool: string): Promise<void>;
}

/** Calls a host that listens at a URL. */
export function callsOf(url: string): HostCalls {
  const callHost = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    call(`${url}${path}`, body, { token: adminToken, ...options, method });
  const as =
    (token: string | null): TestCaller =>
    (method, path, body) =>
      callHost(method, path, body, { token });
  const admin = as(adminToken);
  return {
    call: callHost,
    as,
    admin,
    async makePool(pool, settings = {}) {
      const path = `/v1/admin/pools/${encodeURIComponent(pool)}`;
      expectStatus(await admin('PUT', path, { name: pool, ...settings }), 200);
      return as(textAt(expectStatus(await admin('POST', `${path}/access-tokens`), 201), 'token'));
    },
    async preparePool(pool, installName = 'standard') {
      const asAdmin = async (method: string, path: string, body: unknown) => {
        const answer = await admin(method, `/v1/admin${path}`, body);
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
        return answer.body;
      };
      const pools = `/pools/${encodeURIComponent(pool)}`;
      await asAdmin('PUT', pools, { name: pool });
      const { key } = await asAdmin('POST', `/booking-systems/${installName}/install-keys`, {});
      const { token } = await asAdmin('POST', `${pools}/access-tokens`, {});
      return { installKey: String(key), accessToken: String(token) };
    },
    async connect(installName, { url: baseUrl }, pool) {
      expectStatus(
        await admin('PUT', `/v1/admin/booking-systems/${installName}`, {
          baseUrl,
          sendCredentialsTo: new URL(baseUrl).origin,
        }),
        200,
      );
      const path = `/v1/admin/pools/${encodeURIComponent(pool)}/installations/${installName}`;
      expectStatus(await admin('PUT', path, { accountId: 4711, apiKey: accountKey }), 200);
    },
  };
}

/** A simulated booking system as the plugin `standard` or `standard-query` expects it. */
export function startSystemFor(
  installName: 'standard' | 'standard-query',
  options: Partial<BookingSystemOptions> = {},
): Promise<SimulatedBookingSystem> {
  const own =
    installName === 'standard'
      ? { pathShape: 'path' as const, authHeaderName: 'api-key' }
      : { pathShape: 'query' as const, authHeaderName: 'authentication' };
  return startBookingSystem({ apiKey: accountKey, form: 'current', ...own, ...options });
}

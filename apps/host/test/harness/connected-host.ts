import {
  type BookingSystemOptions,
  type SimulatedBookingSystem,
  startBookingSystem,
} from '@waiver-service/simulator';
import type { Answer } from './call.ts';
import { adminToken, startTestHost } from './test-host.ts';

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

/** Calls the host with one token. */
export type TestCaller = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** The partner's key that simulated booking systems take here. */
export const accountKey = 'key-of-the-account';

function expectStatus(answer: Answer, status: number): unknown {
  if (answer.status !== status) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A host with callers by token, and what connects its pools to booking systems. */
export async function startConnectedHost(variables: Readonly<Record<string, string>> = {}) {
  const host = await startTestHost(variables);
  const as =
    (token: string | null): TestCaller =>
    (method, path, body) =>
      host.call(method, path, body, { token });
  const admin = as(adminToken);
  return {
    ...host,
    as,
    admin,
    /** Makes a pool and an access token of it. */
    async makePool(pool: string, settings: Readonly<Record<string, unknown>> = {}): Promise<TestCaller> {
      const path = `/v1/admin/pools/${encodeURIComponent(pool)}`;
      expectStatus(await admin('PUT', path, { name: pool, ...settings }), 200);
      return as(textAt(expectStatus(await admin('POST', `${path}/access-tokens`), 201), 'token'));
    },
    /** Sets a booking system's address and installs it for a pool, by hand. */
    async connect(installName: string, { url }: { readonly url: string }, pool: string): Promise<void> {
      expectStatus(
        await admin('PUT', `/v1/admin/booking-systems/${installName}`, {
          baseUrl: url,
          sendCredentialsTo: new URL(url).origin,
        }),
        200,
      );
      const path = `/v1/admin/pools/${encodeURIComponent(pool)}/installations/${installName}`;
      expectStatus(await admin('PUT', path, { accountId: 4711, apiKey: accountKey }), 200);
    },
  };
}

export type ConnectedHost = Awaited<ReturnType<typeof startConnectedHost>>;

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

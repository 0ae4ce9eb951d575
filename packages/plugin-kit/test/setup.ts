import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import { createOutbound, type Exchange } from '@waiver-service/outbound';
import { afterAll, afterEach } from 'vitest';
import {
  type ContextInput,
  type ContractDefinition,
  createBookingSystemContext,
  defineBookingSystem,
} from '../src/index.ts';

/** A request as received, nothing decoded. */
interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** The response to send; a text body is sent as it is. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A booking system over real HTTP that records requests and sends the response that it was given. */
export async function startRecordingServer() {
  const requests: RecordedRequest[] = [];
  let answer: Answer = {};
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request;
      requests.push({ method, url, headers, rawHeaders, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer.status ?? 200, { ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
    });
  });
  // Never closes an idle connection: a client that was paused for seconds could otherwise write to a connection that is
  // just being closed, which leaves the request in doubt.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/partner/api`,
    willAnswer(next: Answer) {
      answer = next;
    },
    /** The one request that was made since the last call. */
    takeRequest(): RecordedRequest {
      const [request, ...others] = requests.splice(0);
      if (!request || others.length > 0)
        throw new Error(`${others.length + (request ? 1 : 0)} requests came, not one`);
      return request;
    },
    takeAll: () => requests.splice(0),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const apiKey = 'planted-key-51c0ffee';

/** Plugins that make different choices where the contract leaves one. */
export const byPath: ContractDefinition = {
  installName: 'by-path',
  displayName: 'By Path',
  contract: { pathShape: 'path', guestId: 'booking-guest-id' },
};
export const pathPlugin = defineBookingSystem(byPath);
export const queryPlugin = defineBookingSystem({
  installName: 'by-query',
  displayName: 'By Query',
  contract: { authHeaderName: 'Authentication', pathShape: 'query', guestId: 'none' },
});

/** Creates contexts for calls to one address. */
function setupContexts(baseUrl: string | null) {
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 2000 });
  const exchanges: Exchange[] = [];
  const context = <S, A extends InstalledAccount>(
    plugin: BookingSystemPlugin<S, A>,
    more: Partial<ContextInput<S, A>> = {},
  ) =>
    createBookingSystemContext({
      plugin,
      outbound,
      baseUrl,
      pool: 'pool & 1',
      settings: {},
      account: { accountId: 1, apiKey },
      purpose: 'read',
      signal: new AbortController().signal,
      onExchange: (exchange) => exchanges.push(exchange),
      ...more,
    });
  return { outbound, exchanges, context };
}

/** A booking system for a file's tests, and contexts for calls to it. */
export async function startBookingSystem() {
  const server = await startRecordingServer();
  const setup = setupContexts(server.baseUrl);
  afterEach(() => void server.takeAll());
  afterAll(async () => {
    await setup.outbound.close();
    await server.close();
  });
  return { server, setup };
}

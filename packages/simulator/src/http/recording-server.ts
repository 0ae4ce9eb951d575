import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SignableRequest } from '@waiver-service/core';
import { answerOfFault, FaultPlan, playFault } from '../faults/faults.ts';
import {
  type ReceivedRequest,
  type SimulatedAnswer,
  sendAnswer,
  signableRequest,
} from './received-request.ts';

/** At most this many requests in any period of this length. */
export interface RequestWindow {
  readonly requests: number;
  readonly windowMs: number;
}

/** Counts requests like a vendor with a rate limit. */
export class RequestWindows {
  readonly #windows: readonly RequestWindow[];
  #acceptedAt: number[] = [];

  constructor(windows: readonly RequestWindow[]) {
    this.#windows = windows;
  }

  /**
   * Counts a request, unless a window is full.
   * @returns milliseconds until a request can be accepted; 0 if this one was
   */
  take(now: number): number {
    const maxWindowMs = Math.max(0, ...this.#windows.map(({ windowMs }) => windowMs));
    this.#acceptedAt = this.#acceptedAt.filter((at) => at > now - maxWindowMs);
    const waitsMs = this.#windows.map(({ requests, windowMs }) => {
      const inWindow = this.#acceptedAt.filter((at) => at > now - windowMs);
      const first = inWindow[inWindow.length - requests];
      return first === undefined ? 0 : first + windowMs - now;
    });
    const waitMs = Math.max(0, ...waitsMs);
    if (waitMs === 0) this.#acceptedAt.push(now);
    return waitMs;
  }
}

interface RecordedRequest<Route extends string>
  extends Omit<ReceivedRequest<Route>, 'answer' | 'faultAnswer'> {
  answer?: SimulatedAnswer;
  faultAnswer?: SimulatedAnswer;
}

/** The requests that a simulated server received, with a way to wait for more. */
class RequestLog<Route extends string> {
  readonly requests: ReceivedRequest<Route>[] = [];
  readonly #watchers = new Set<() => void>();

  add(request: ReceivedRequest<Route>): RecordedRequest<Route> {
    const recorded: RecordedRequest<Route> = { ...request };
    this.requests.push(recorded);
    this.#wake();
    return recorded;
  }

  /** Records the response to a request. */
  answered(recorded: RecordedRequest<Route>, answer: SimulatedAnswer): SimulatedAnswer {
    recorded.answer = answer;
    this.#wake();
    return answer;
  }

  #wake(): void {
    for (const watch of this.#watchers) watch();
  }

  /** See `RecordingServer.untilReceived`. */
  async until(
    route: Route | 'other',
    condition: number | ((requests: readonly ReceivedRequest<Route>[]) => boolean),
    timeoutMilliseconds = 10_000,
  ): Promise<readonly ReceivedRequest<Route>[]> {
    const holds =
      typeof condition === 'number'
        ? (requests: readonly unknown[]) => requests.length >= condition
        : condition;
    const done = Promise.withResolvers<readonly ReceivedRequest<Route>[]>();
    const ofRoute = () => this.requests.filter((request) => request.route === route);
    const watch = () => {
      const requests = ofRoute();
      if (holds(requests)) done.resolve(requests);
    };
    const timer = setTimeout(() => {
      const received = this.requests.map(({ method, path }) => `${method} ${path}`).join(', ') || 'nothing';
      const wanted = typeof condition === 'number' ? `${condition} requests` : 'the requests waited for';
      done.reject(
        new Error(
          `${wanted} of "${route}" did not arrive in ${timeoutMilliseconds} ms; received: ${received}`,
        ),
      );
    }, timeoutMilliseconds);
    this.#watchers.add(watch);
    watch();
    try {
      return await done.promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(watch);
    }
  }
}

/** The requests since a server's limits were set. */
export interface LimitedRequests {
  /** How many were beyond the limits. */
  readonly refused: number;
}

/** The interface of every simulated server. */
export interface RecordingServer<Route extends string> {
  /** Its address, without a trailing slash. */
  readonly url: string;
  /** Every request so far, oldest first; always the same array. */
  readonly received: readonly ReceivedRequest<Route>[];
  /**
   * Waits until the requests of a route satisfy a condition (a number: at least that many) and returns them. After
   * `timeoutMilliseconds` (default 10,000) it rejects with an error that lists all requests.
   */
  untilReceived(
    route: Route | 'other',
    condition: number | ((requests: readonly ReceivedRequest<Route>[]) => boolean),
    timeoutMilliseconds?: number,
  ): Promise<readonly ReceivedRequest<Route>[]>;
  readonly faults: FaultPlan<Route>;
  /**
   * From now on, counts every request and refuses those beyond any window: with 429 and `Retry-After`, or with
   * `refuse`'s answer. Without windows, no request is refused.
   */
  limitRequests(
    windows: readonly RequestWindow[],
    refuse?: (retryAfterSeconds: number) => SimulatedAnswer,
  ): LimitedRequests;
  /** Closes every connection, even one with a request in progress, and frees the port. */
  close(): Promise<void>;
}

interface RecordingServerOptions<Route extends string> {
  /** Default: any free port. */
  readonly port?: number | undefined;
  readonly routeOf: (method: string, path: string) => Route | 'other';
  readonly answer: (request: ReceivedRequest<Route>) => SimulatedAnswer;
  /** Whether a request is authentic; otherwise it is answered with 401. Default: `answer` decides. */
  readonly isAuthentic?: ((request: SignableRequest) => boolean) | undefined;
}

const tooManyRequests = (retryAfterSeconds: number): SimulatedAnswer => ({
  status: 429,
  headers: { 'Retry-After': String(retryAfterSeconds) },
  body: { success: false, message: 'too many requests' },
});

const notAuthentic: SimulatedAnswer = {
  status: 401,
  body: { success: false, message: 'the request is not authentic' },
};

const maxRequestBytes = 8 * 1024 * 1024;

/**
 * Reads a request's body; `undefined` if it is longer than {@link maxRequestBytes}. The rest of such a body is read and
 * discarded, so that the caller sees the response.
 */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length <= maxRequestBytes) chunks.push(bytes);
  }
  return length <= maxRequestBytes ? Buffer.concat(chunks) : undefined;
}

async function listenOnLoopback(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
  return `http://127.0.0.1:${address.port}`;
}

/** Starts a server on 127.0.0.1 that records each request before it responds or plays a fault. */
export async function startRecordingServer<Route extends string>({
  port = 0,
  routeOf,
  answer,
  isAuthentic = () => true,
}: RecordingServerOptions<Route>): Promise<RecordingServer<Route>> {
  const log = new RequestLog<Route>();
  const faults = new FaultPlan<Route>();
  const closing = new AbortController();
  let windows = new RequestWindows([]);
  let refuse = tooManyRequests;
  let limited = { refused: 0 };

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = new Date();
    const { method = '', url: path = '', headers, rawHeaders } = message;
    const body = await readBody(message);
    if (!body) {
      sendAnswer(response, { status: 413, body: { success: false, message: 'the body is too large' } });
      return;
    }
    const request = { route: routeOf(method, path), method, path, headers, rawHeaders, body, at };
    const recorded = log.add(request);
    const waitMs = windows.take(performance.now());
    if (waitMs > 0) {
      limited.refused += 1;
      sendAnswer(response, refuse(Math.ceil(waitMs / 1_000)));
      return;
    }
    const fault = request.route === 'other' ? undefined : faults.take(request.route);
    const carryOut = () =>
      log.answered(recorded, isAuthentic(signableRequest(request, url)) ? answer(request) : notAuthentic);
    if (fault?.kind === 'status') recorded.faultAnswer = answerOfFault(fault);
    if (fault) await playFault(fault, { response, carryOut, signal: closing.signal });
    else sendAnswer(response, carryOut());
  }

  const server = createServer((message, response) => {
    handle(message, response).catch((error: unknown) => {
      // The response has begun, the caller has disconnected, or the server is closing: an error can no longer be sent.
      if (response.destroyed || response.headersSent || closing.signal.aborted) response.destroy();
      else sendAnswer(response, { status: 500, body: { success: false, message: String(error) } });
    });
  });
  const url = await listenOnLoopback(server, port);
  return {
    url,
    received: log.requests,
    faults,
    limitRequests(nextWindows, nextRefuse = tooManyRequests) {
      windows = new RequestWindows(nextWindows);
      refuse = nextRefuse;
      limited = { refused: 0 };
      return limited;
    },
    untilReceived: (route, condition, timeoutMilliseconds) =>
      log.until(route, condition, timeoutMilliseconds),
    async close() {
      closing.abort();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

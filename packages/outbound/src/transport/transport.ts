import { channel } from 'node:diagnostics_channel';
import type { OutboundErrorCode } from '@waiver-service/core';
import type { Dispatcher } from 'undici';
import { AddressRefused } from '../addresses/address-guard.ts';
import { NameNotResolved } from '../names/name-resolver.ts';
import type { Deadlines, Expiring } from './deadlines.ts';

const connectionRefused = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
]);
const timeouts = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);
const resets = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'UND_ERR_SOCKET']);

function codeOf(error: unknown): string {
  // Every address failed to connect; the first failure stands for all.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether the other end closed the connection, rather than sent something that is no HTTP. */
const isClosedConnection = (error: unknown): boolean => resets.has(codeOf(error));

/**
 * Maps a transport error to core's list of failures; `undefined` if the request itself was invalid (a header value that
 * HTTP does not allow). `started`: whether the connection was established.
 */
function outboundErrorCodeOf(
  error: unknown,
  started: boolean,
  origin: string,
): OutboundErrorCode | undefined {
  if (error instanceof AddressRefused) return 'blocked_address';
  if (error instanceof NameNotResolved) return 'dns_error';
  const code = codeOf(error);
  if (connectionRefused.has(code)) return 'connection_refused';
  if (timeouts.has(code)) return 'timeout';
  if (resets.has(code)) return 'connection_reset';
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') return undefined;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'response_too_large';
  return !started && origin.startsWith('https:') ? 'tls_error' : 'connection_reset';
}

const nothing = Buffer.alloc(0);

/** The start of a body and its total length: the rest is counted and dropped. */
export class BodyExcerpt {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The number of bytes received so far, kept or not. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    const room = this.#maxBytes - this.#size;
    this.#size += chunk.length;
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
  }

  /** The kept chunks, concatenated. */
  bytes(): Buffer {
    const [first = nothing, ...more] = this.#chunks;
    return more.length === 0 ? first : Buffer.concat(this.#chunks);
  }
}

/** The headers of a response, by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One request, ready to be sent. */
interface TransportRequest {
  readonly method: string;
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** Name, value, name, value. */
  readonly headers: string[];
  readonly body?: string | Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly startedAt: number;
  /** When everything must have ended, by `performance.now()`: connecting, sending, headers and body. */
  readonly deadlineAt: number;
  /** The maximum size of the response body in bytes. */
  readonly maxResponseBytes: number;
  /** The maximum number of bytes to keep; the rest is only counted. */
  readonly keptBytes: number;
  /** Filled in if given, for a trace. */
  readonly times?: RequestTimes | undefined;
}

/** When a request was written, when its response began, and when the call ended, by `performance.now()`. */
export interface RequestTimes {
  sentAt?: number;
  answeredAt?: number;
  endedAt?: number;
}

/** The result of one request. */
export interface TransportResult {
  /** The status, if headers arrived. */
  readonly status: number | undefined;
  readonly headers: AnswerHeaders;
  /** The start of the body, at most `keptBytes`. */
  readonly body: Buffer;
  /** The size of the body, kept or not. */
  readonly bodyBytes: number;
  /** Absent if the whole response arrived. */
  readonly failure: TransportFailure | undefined;
  /** Whether the request may have been sent; false means that it certainly was not. */
  readonly started: boolean;
  readonly durationMs: number;
}

/** Why the response is incomplete or missing. */
interface TransportFailure {
  readonly code: OutboundErrorCode | undefined;
  readonly cause?: unknown;
  /** Whether the caller aborted the request, rather than the timeout. */
  readonly givenUp: boolean;
}

const outOfTime: TransportFailure = { code: 'timeout', givenUp: false };
const givenUp: TransportFailure = { code: 'timeout', givenUp: true };
const tooLarge: TransportFailure = { code: 'response_too_large', givenUp: false };

const noHeaders: AnswerHeaders = {};

/** The `node:diagnostics_channel` in which each request runs: a store bound to it identifies our requests. */
export const outboundRequestChannel = 'waiver-service:outbound:request';
const requests = channel(outboundRequestChannel);

type Settle = (result: TransportResult) => void;

/** The calls that each signal ends: one listener for a signal, however many calls share it. */
const callsOf = new WeakMap<AbortSignal, Set<TransportCall>>();

function giveUpWith(signal: AbortSignal, call: TransportCall): void {
  const known = callsOf.get(signal);
  if (known !== undefined) {
    known.add(call);
    return;
  }
  const calls = new Set([call]);
  callsOf.set(signal, calls);
  signal.addEventListener('abort', () => {
    for (const each of [...calls]) each.giveUp();
  });
}

class TransportCall implements Dispatcher.DispatchHandler, Expiring {
  readonly deadlineAt: number;
  place = -1;
  readonly #request: TransportRequest;
  readonly #deadlines: Deadlines;
  readonly #body: BodyExcerpt;
  #settle: Settle | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | undefined;
  #headers = noHeaders;

  constructor(request: TransportRequest, deadlines: Deadlines, settle: Settle) {
    this.deadlineAt = request.deadlineAt;
    this.#request = request;
    this.#deadlines = deadlines;
    this.#body = new BodyExcerpt(Math.min(request.keptBytes, request.maxResponseBytes));
    this.#settle = settle;
  }

  dispatchTo(dispatcher: Dispatcher): void {
    const { method, origin, path, headers, body = null, signal } = this.#request;
    if (signal?.aborted) {
      this.#stop(givenUp);
      return;
    }
    this.#deadlines.add(this);
    if (signal !== undefined) giveUpWith(signal, this);
    try {
      const options = { origin, path, method, headers, body };
      if (requests.hasSubscribers) {
        requests.runStores({ origin, method }, () => dispatcher.dispatch(options, this));
      } else dispatcher.dispatch(options, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request waited too long for a free connection, and must no longer be sent.
    if (this.#settle === undefined) controller.abort(new Error('given up before it was written'));
    else this.#controller = controller;
    if (this.#request.times !== undefined) this.#request.times.sentAt = performance.now();
  }

  onResponseStart(_controller: unknown, status: number, headers: AnswerHeaders): void {
    if (status < 200) return;
    if (this.#request.times !== undefined) this.#request.times.answeredAt = performance.now();
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#settle === undefined) return;
    this.#body.add(chunk);
    if (this.#body.size > this.#request.maxResponseBytes) this.#stop(tooLarge);
  }

  onResponseEnd(): void {
    this.#finish(undefined);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(error);
  }

  expire(): void {
    this.#stop(outOfTime);
  }

  giveUp(): void {
    this.#stop(givenUp);
  }

  #fail(cause: unknown): void {
    const code = outboundErrorCodeOf(cause, this.#controller !== undefined, this.#request.origin);
    this.#finish({ code, cause, givenUp: false });
  }

  #stop(failure: TransportFailure): void {
    this.#finish(failure);
    this.#controller?.abort(new Error(`stopped: ${failure.code}`));
  }

  #finish(failure: TransportFailure | undefined): void {
    const settle = this.#settle;
    if (settle === undefined) return;
    this.#settle = undefined;
    this.#deadlines.delete(this);
    const { signal } = this.#request;
    if (signal !== undefined) callsOf.get(signal)?.delete(this);
    if (this.#request.times !== undefined) this.#request.times.endedAt = performance.now();
    settle({
      status: this.#status,
      headers: this.#headers,
      body: this.#body.bytes(),
      bodyBytes: this.#body.size,
      failure,
      started: this.#controller !== undefined,
      durationMs: Math.round(performance.now() - this.#request.startedAt),
    });
  }
}

/** Sends requests over pooled connections and aborts those that take too long. */
export interface Transport {
  readonly dispatcher: Dispatcher;
  /** Opens a new connection for each request. */
  readonly unpooled: Dispatcher;
  readonly deadlines: Deadlines;
}

/**
 * Whether a request may be made once more: a read whose connection was closed before any of the response arrived, as when
 * the server ends a kept connection just as the request is sent (RFC 9110, section 9.2.2).
 */
export const isRepeatable = (method: string, { status, started, failure }: TransportResult): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  status === undefined &&
  started &&
  isClosedConnection(failure?.cause);

/**
 * Sends one request and collects the response, within one timeout and one size limit. Never rejects.
 *
 * Uses undici at its lowest level, because only there is it known whether a failed request had been written.
 */
export function exchangeOnce(
  { dispatcher, deadlines }: Pick<Transport, 'dispatcher' | 'deadlines'>,
  request: TransportRequest,
): Promise<TransportResult> {
  return new Promise((resolve) => {
    new TransportCall(request, deadlines, resolve).dispatchTo(dispatcher);
  });
}

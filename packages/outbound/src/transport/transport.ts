import type { OutboundErrorCode } from '@waiver-service/core';
import type { Dispatcher } from 'undici';
import { outboundErrorCodeOf } from './failure.ts';

/** The headers of an answer, names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One request, ready to be written. */
export interface TransportRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for everything: connecting, sending, headers and body. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

/** What one request came to. */
export interface TransportResult {
  /** The status, where headers arrived. */
  readonly status?: number;
  readonly headers: AnswerHeaders;
  /** What arrived of the body, at most `maxResponseBytes`. */
  readonly body: Buffer;
  /** Absent where the whole answer arrived. */
  readonly failure?: {
    readonly code: OutboundErrorCode | undefined;
    readonly cause?: unknown;
    /** The caller gave up, rather than the time limit. */
    readonly givenUp: boolean;
  };
  /** Whether the request may have left: false means that it certainly did not. */
  readonly started: boolean;
  readonly durationMs: number;
}

const tooLarge = Symbol('the answer is over the limit');
const outOfTime = Symbol('out of time');
const givenUp = Symbol('given up');

/**
 * Sends one request and collects its answer, within one time limit and one size limit. Never rejects. undici is
 * driven at its lowest level because only there is it known whether a request that failed had been written.
 */
export function exchangeOnce(dispatcher: Dispatcher, request: TransportRequest): Promise<TransportResult> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let controller: Dispatcher.DispatchController | undefined;
    let status: number | undefined;
    let headers: AnswerHeaders = {};
    let size = 0;
    let settled = false;
    const chunks: Buffer[] = [];

    function finish(failure?: TransportResult['failure']) {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', giveUp);
      resolve({
        ...(status === undefined ? {} : { status }),
        headers,
        body: Buffer.concat(chunks),
        ...(failure === undefined ? {} : { failure }),
        started: controller !== undefined,
        durationMs: Math.round(performance.now() - startedAt),
      });
    }
    function stop(why: typeof tooLarge | typeof outOfTime | typeof givenUp) {
      finish({ code: why === tooLarge ? 'response_too_large' : 'timeout', givenUp: why === givenUp });
      controller?.abort(new Error(why.description));
    }
    const giveUp = () => stop(givenUp);
    const timer = setTimeout(() => stop(outOfTime), request.timeoutMs);
    if (request.signal?.aborted) return giveUp();
    request.signal?.addEventListener('abort', giveUp, { once: true });

    function fail(cause: unknown) {
      const code = outboundErrorCodeOf(cause, controller !== undefined, request.url.protocol);
      finish({ code, cause, givenUp: false });
    }
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        // It waited for a free connection for too long: it must not be written any more.
        if (settled) return started.abort(new Error(outOfTime.description));
        controller = started;
      },
      onResponseStart(_controller, statusCode, answerHeaders) {
        if (statusCode < 200) return;
        status = statusCode;
        headers = answerHeaders;
      },
      onResponseData(_controller, chunk) {
        if (settled) return;
        const room = request.maxResponseBytes - size;
        chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
        size += chunk.length;
        if (chunk.length > room) stop(tooLarge);
      },
      onResponseEnd: () => finish(),
      onResponseError: (_controller, error) => fail(error),
    };
    try {
      dispatcher.dispatch(
        {
          origin: request.url.origin,
          path: `${request.url.pathname}${request.url.search}`,
          method: request.method,
          headers: { ...request.headers },
          body: request.body ?? null,
        },
        handler,
      );
    } catch (error) {
      fail(error);
    }
  });
}

import { BookingSystemTimeout, BookingSystemUnavailable } from '@waiver-service/core';
import type { Dispatcher } from 'undici';
import { describeExchange, type Exchange, type UnsentRequest } from './exchange.ts';
import type { PreparedHeaders } from './http/prepared-headers.ts';
import type { SecretRedactor } from './redaction/secrets.ts';
import type { CallTrace } from './trace/call-trace.ts';
import { errorOfResult, errorOfUnreadable } from './transport/answer-error.ts';
import { type DecodingProblem, decodeBody, isEncoded } from './transport/decode-body.ts';
import {
  exchangeOnce,
  isRepeatable,
  type RequestTimes,
  type Transport,
  type TransportResult,
} from './transport/transport.ts';

/**
 * Resolves when one request may be made, and rejects if it may not. The wait counts against the call's timeout.
 * @param deadlineAt when the call must have ended, by `performance.now()`
 */
export type BeforeRequest = (deadlineAt: number) => Promise<void>;

/** The parts of a URL that a request needs. */
interface Target {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
}

export const targetOf = ({ origin, pathname, search }: URL): Target => ({
  origin,
  path: `${pathname}${search}`,
});

interface CallRequest extends Omit<UnsentRequest, 'url'> {
  /** `null` if the address is not a URL: the call is refused. */
  readonly url: URL | null;
  /** Of the URL, if many calls share it. */
  readonly target?: Target | undefined;
  readonly signal?: AbortSignal | undefined;
  /** By `performance.now()`. */
  readonly deadlineAt?: number | undefined;
  readonly peer?: string | undefined;
  /** See {@link HttpUse.beforeRequest}. */
  readonly beforeRequest?: BeforeRequest | undefined;
  /** Completes the request just before it is sent, because a signature may be valid only briefly. */
  readonly authenticate?: ((request: UnsentRequest) => Promise<UnsentRequest>) | undefined;
  /** The maximum number of bytes of the response body to keep; by default, everything that may be read. */
  readonly keptBytes?: number;
  /** Called with the response, complete or cut off, before any of it is shown. */
  readonly onAnswer?: ((status: number, body: Buffer) => void) | undefined;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** For {@link onExchange} and the trace. */
  readonly redactor: SecretRedactor;
  readonly trace?: CallTrace | undefined;
}

/** A call with a response. */
export interface CallAnswer extends Pick<TransportResult, 'headers' | 'body' | 'durationMs'> {
  readonly status: number;
}

/** Makes one call. Rejects as {@link Outbound.prepareHttp} describes. */
export type Call = (request: CallRequest) => Promise<CallAnswer>;

function checkSendable({ unsendable }: PreparedHeaders, peer: () => string): void {
  if (unsendable === undefined) return;
  throw new BookingSystemUnavailable(
    `${peer()} was not called: the value of the header ${JSON.stringify(unsendable)} has a character that HTTP cannot carry`,
  );
}

/** Creates the function through which all outbound calls are made: limits, transport, errors, redaction. */
export function createCall(transport: Transport, timeoutMs: number, maxResponseBytes: number): Call {
  return async (request) => {
    const { method, headers, body, signal, keptBytes = maxResponseBytes, onExchange } = request;
    const { url: address, target, beforeRequest, authenticate, trace } = request;
    if (!address)
      throw new BookingSystemUnavailable('the address to call is not an absolute URL: set it again');
    const peer = () => (request.peer ? `${request.peer} (${address.host})` : address.host);
    checkSendable(headers, peer);
    let startedAt = performance.now();
    const deadlineAt = Math.min(startedAt + timeoutMs, request.deadlineAt ?? Number.POSITIVE_INFINITY);
    const checkTime = () => {
      if (deadlineAt > startedAt) return;
      const message = `${peer()} was not called any more: the time for all calls together was over`;
      throw new BookingSystemTimeout(message, { outboundErrorCode: 'timeout' });
    };
    checkTime();

    // Of a response that is only shown, the start is kept, which cannot always be decoded; its status says everything.
    const isOnlyShown = request.keptBytes !== undefined;
    const decoded = async (
      result: TransportResult,
    ): Promise<{ result: TransportResult; problem?: DecodingProblem }> => {
      const body = await decodeBody(result, maxResponseBytes);
      if (Buffer.isBuffer(body))
        return { result: { ...result, body, bodyBytes: Math.max(body.length, result.bodyBytes) } };
      return isOnlyShown ? { result } : { result, problem: body };
    };

    const attempt = async (dispatcher: Dispatcher) => {
      if (beforeRequest !== undefined) {
        const takeTurn = () => beforeRequest(deadlineAt);
        await (trace ? trace.waitFor('turn', takeTurn) : takeTurn());
        startedAt = performance.now();
        checkTime();
      }
      let sent: UnsentRequest = { method, url: address, headers, body };
      if (authenticate !== undefined) {
        sent = await authenticate(sent);
        checkSendable(sent.headers, peer);
        startedAt = performance.now();
        checkTime();
      }
      const { url } = sent;
      // Not spread into the request: an object literal takes 50 times as long with a spread in its middle.
      const { origin, path } = url === address && target !== undefined ? target : targetOf(url);
      const times: RequestTimes | undefined = trace && {};
      const received = await exchangeOnce(
        { dispatcher, deadlines: transport.deadlines },
        {
          method,
          origin,
          path,
          headers: sent.headers.wire,
          body: sent.body,
          signal,
          startedAt,
          deadlineAt,
          maxResponseBytes,
          keptBytes,
          times,
        },
      );
      const { result, problem } = isEncoded(received)
        ? await decoded(received)
        : { result: received, problem: undefined };
      if (result.status !== undefined) request.onAnswer?.(result.status, result.body);
      const error =
        errorOfResult(result, peer, Math.ceil(deadlineAt - startedAt)) ??
        (problem && errorOfUnreadable(result, problem, peer));
      if (trace && times) trace.record({ sent, result, error, redactor: request.redactor, startedAt, times });
      onExchange?.(describeExchange({ method, url, result, error }, request.redactor));
      return { result, error };
    };

    const { dispatcher, unpooled } = trace
      ? { dispatcher: trace.dispatcher, unpooled: trace.dispatcher }
      : transport;
    let { result, error } = await attempt(dispatcher);
    if (isRepeatable(method, result)) ({ result, error } = await attempt(unpooled));
    if (error) throw error;
    const { status = 0, headers: answerHeaders, body: answerBody, durationMs } = result;
    return { status, headers: answerHeaders, body: answerBody, durationMs };
  };
}

import {
  type BookingSystemError,
  BookingSystemTimeout,
  BookingSystemUnavailable,
  InvalidBookingResponse,
  type OutboundErrorCode,
} from '@waiver-service/core';
import type { Dispatcher } from 'undici';
import { describeExchange, type Exchange, type UnsentRequest } from './exchange.ts';
import type { PreparedHeaders } from './http/prepared-request.ts';
import type { SecretRedactor } from './redaction/secrets.ts';
import type { CallTrace } from './trace/call-trace.ts';
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

const isCertainStatus = (status: number | undefined) => status !== undefined && status >= 400;
const isRedirect = (status: number | undefined) => status !== undefined && status >= 300 && status < 400;

const sentences: Record<Exclude<OutboundErrorCode, 'http_status' | 'not_accepted' | 'timeout'>, string> = {
  dns_error: 'has a name that does not resolve',
  connection_refused: 'does not accept connections: check its address, or wait until it is up again',
  connection_reset: 'closed the connection before the whole answer had arrived',
  tls_error: 'could not be reached by TLS: check its certificate, and that the address speaks https',
  redirect: 'answered with a redirect, which is not followed: set the address that it leads to',
  response_too_large: 'answered with more than may be read',
  blocked_address: 'may not be reached',
};

const untrusted = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

function tlsSentence(cause: unknown): string {
  if (!(cause instanceof Error)) return sentences.tls_error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (untrusted.has(code)) {
    return `has a certificate that is not trusted here (${cause.message}): have it signed by a known authority, or set NODE_EXTRA_CA_CERTS to the PEM file of the certificate or of its authority`;
  }
  if (code === 'CERT_HAS_EXPIRED') return 'has a certificate that has expired: renew it';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `has the certificate of another host (${cause.message})`;
  return sentences.tls_error;
}

function sentenceOf(code: OutboundErrorCode | undefined, cause: unknown): string {
  if (code === 'tls_error') return tlsSentence(cause);
  if (code === 'blocked_address' && cause instanceof Error) return `may not be reached: ${cause.message}`;
  if (code === 'dns_error' && cause instanceof Error) {
    return `${sentences.dns_error} (${cause.message}): check its address`;
  }
  if (code === undefined || code === 'http_status' || code === 'not_accepted' || code === 'timeout') {
    return 'was not called: the request cannot be written as HTTP (a header value with a line break, say)';
  }
  return sentences[code];
}

function timeoutError(result: TransportResult, peer: string, timeoutMs: number): BookingSystemTimeout {
  const inDoubt = result.started;
  const message = result.failure?.givenUp
    ? `the call to ${peer} was given up`
    : `${peer} ${inDoubt ? 'did not answer' : 'could not be connected to'} within ${timeoutMs} ms`;
  return new BookingSystemTimeout(message, { outboundErrorCode: 'timeout', inDoubt });
}

/**
 * The error for a call without a valid response; `undefined` if there is one. A failure status is valid even if its
 * body was cut off, because the rejection is certain. A 2xx that was cut off is in doubt.
 */
function errorOfResult(
  result: TransportResult,
  peer: () => string,
  timeoutMs: number,
): BookingSystemError | undefined {
  const { status, failure, started } = result;
  if (isRedirect(status)) {
    return new BookingSystemUnavailable(`${peer()} ${sentences.redirect} (${status})`, {
      outboundErrorCode: 'redirect',
      ...(status === undefined ? {} : { upstreamStatus: status }),
    });
  }
  if (!failure || isCertainStatus(status)) return undefined;
  if (failure.code === 'timeout') return timeoutError(result, peer(), timeoutMs);
  const details = {
    inDoubt: started && failure.code !== undefined,
    ...(failure.code === undefined ? {} : { outboundErrorCode: failure.code }),
    ...(status === undefined ? {} : { upstreamStatus: status }),
  };
  const message = `${peer()} ${sentenceOf(failure.code, failure.cause)}`;
  return failure.code === 'response_too_large'
    ? new InvalidBookingResponse(message, [], details)
    : new BookingSystemUnavailable(message, details);
}

/** The error for a response that arrived, and whose body cannot be decoded; none if its status is a failure. */
function errorOfUnreadable(
  { status }: TransportResult,
  { sentence, isTooLarge }: DecodingProblem,
  peer: () => string,
): BookingSystemError | undefined {
  if (isCertainStatus(status)) return undefined;
  return new InvalidBookingResponse(`${peer()} ${sentence}`, [], {
    inDoubt: true,
    ...(isTooLarge ? { outboundErrorCode: 'response_too_large' as const } : {}),
    ...(status === undefined ? {} : { upstreamStatus: status }),
  });
}

import { BookingSystemTimeout, BookingSystemUnavailable } from '@waiver-service/core';
import type { Dispatcher } from 'undici';
import { describeExchange, type Exchange } from './exchange.ts';
import { findUnsendableHeader } from './http/header-values.ts';
import { wireHeaders } from './http/wire-headers.ts';
import type { SecretRedactor } from './redaction/secrets.ts';
import { errorOfResult } from './transport/answer-error.ts';
import { exchangeOnce, type TransportResult } from './transport/transport.ts';

type Headers = Readonly<Record<string, string>>;

/** One call through the guard. */
export interface CallRequest {
  readonly method: string;
  readonly url: string;
  /** Of one name in several, the last counts. */
  readonly headers: readonly Headers[];
  readonly body?: string | Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
  /** By `performance.now()`. */
  readonly deadlineAt?: number | undefined;
  readonly peer?: string | undefined;
  /** Most bytes kept of the answer's body. All that may be read where left out. */
  readonly keptBytes?: number;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Takes the secrets out of what {@link onExchange} is told. */
  readonly redactor: SecretRedactor;
}

/** A call that brought an answer. */
export interface CallAnswer extends Pick<TransportResult, 'headers' | 'body' | 'durationMs'> {
  readonly status: number;
}

/** Makes one call; see {@link Outbound.createHttp} for what rejects. */
export type Call = (request: CallRequest) => Promise<CallAnswer>;

// Nothing is compressed, so that the size limit counts what is read and a small answer cannot unfold to a huge one.
const standingHeaders = { 'accept-encoding': 'identity', 'user-agent': 'waiver-service' };

/** Makes the way that every call goes: header check, transport, errors, what is shown of it. */
export function createCall(dispatcher: Dispatcher, timeoutMs: number, maxResponseBytes: number): Call {
  return async (request) => {
    const url = URL.parse(request.url);
    if (!url) throw new BookingSystemUnavailable('the address to call is not an absolute URL: set it anew');
    const { method, body, signal, deadlineAt, keptBytes = maxResponseBytes, onExchange } = request;
    const peer = () => (request.peer ? `${request.peer} (${url.host})` : url.host);
    const headers = wireHeaders([standingHeaders, ...request.headers]);
    const unsendable = findUnsendableHeader(headers);
    if (unsendable !== undefined) {
      throw new BookingSystemUnavailable(
        `${peer()} was not called: the value of the header ${JSON.stringify(unsendable)} has a character that HTTP cannot carry`,
      );
    }
    const leftMs = Math.min(timeoutMs, (deadlineAt ?? Number.POSITIVE_INFINITY) - performance.now());
    if (leftMs <= 0) {
      const message = `${peer()} was not called any more: the time for all calls together was over`;
      throw new BookingSystemTimeout(message, { outboundErrorCode: 'timeout' });
    }
    const limits = { timeoutMs: leftMs, maxResponseBytes, keptBytes };
    const result = await exchangeOnce(dispatcher, { method, url, headers, body, signal, ...limits });
    const error = errorOfResult(result, peer, Math.ceil(leftMs));
    onExchange?.(describeExchange({ method, url, result, error }, request.redactor));
    if (error) throw error;
    const { status = 0, headers: answerHeaders, body: answerBody, durationMs } = result;
    return { status, headers: answerHeaders, body: answerBody, durationMs };
  };
}

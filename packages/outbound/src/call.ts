import { BookingSystemUnavailable } from '@waiver-service/core';
import type { Dispatcher } from 'undici';
import { describeExchange, type Exchange } from './exchange.ts';
import { findUnsendableHeader } from './http/header-values.ts';
import { mergeHeaders } from './http/merge-headers.ts';
import { createSecretRedactor } from './redaction/secrets.ts';
import { errorOfResult } from './transport/answer-error.ts';
import { type AnswerHeaders, exchangeOnce } from './transport/transport.ts';

/** One call through the guard. */
export interface CallRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers whose values are never shown. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly peer?: string | undefined;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** A call that brought an answer. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
  readonly durationMs: number;
}

/** Makes one call; see {@link Outbound.createHttp} for what rejects. */
export type Call = (request: CallRequest) => Promise<CallAnswer>;

// Nothing is compressed, so that the size limit counts what is read and a small answer cannot unfold to a huge one.
const standingHeaders = { 'accept-encoding': 'identity', 'user-agent': 'waiver-service' };

/** Makes the way that every call goes: header check, transport, errors, what is shown of it. */
export function createCall(dispatcher: Dispatcher, timeoutMs: number, maxResponseBytes: number): Call {
  return async (request) => {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    if (!url) throw new BookingSystemUnavailable('the address to call is not an absolute URL: set it anew');
    const peer = request.peer ? `${request.peer} (${url.host})` : url.host;
    const unsendable = findUnsendableHeader(request.headers);
    if (unsendable !== undefined) {
      throw new BookingSystemUnavailable(
        `${peer} was not called: the value of the header ${JSON.stringify(unsendable)} has a character that HTTP cannot carry`,
      );
    }
    const { method, body, signal } = request;
    const headers = mergeHeaders(standingHeaders, request.headers);
    const transportRequest = { method, url, headers, body, signal, timeoutMs, maxResponseBytes };
    const result = await exchangeOnce(dispatcher, transportRequest);
    const error = errorOfResult(result, peer, timeoutMs);
    if (request.onExchange) {
      const redactor = createSecretRedactor(request.secretHeaders);
      request.onExchange(describeExchange(transportRequest, result, redactor, error));
    }
    if (error) throw error;
    return { ...result, status: result.status ?? 0 };
  };
}

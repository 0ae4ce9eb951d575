import { type Axios, AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import type { Call } from '../call.ts';
import type { Exchange } from '../exchange.ts';
import { createSecretRedactor } from '../redaction/secrets.ts';
import type { AnswerHeaders } from '../transport/transport.ts';
import { parseBody } from './parse-body.ts';
import { createPluginClient } from './plugin-client.ts';
import { requestUrl } from './request-url.ts';

/** What goes with one use of a client. */
export interface HttpUse {
  readonly signal: AbortSignal;
  /** When all calls of this use must have ended, by `performance.now()`; each has its own time limit besides. */
  readonly deadlineAt?: number | undefined;
  /** Told of each call, redacted. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** What a client for one booking system and one call is made from. */
export interface HttpOptions extends HttpUse {
  readonly baseUrl: string;
  /** Sent with each request, never shown: authentication and the like. */
  readonly headers: Readonly<Record<string, string>>;
  /** Who is called, in words, for messages; the host name where left out. */
  readonly peer?: string;
}

function headersOf(config: InternalAxiosRequestConfig, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.headers.toJSON(true))) {
    if (value === null || value === undefined) continue;
    if (!hasBody && name.toLowerCase() === 'content-type') continue;
    headers[name] = String(value);
  }
  return headers;
}

function answerHeaders(headers: AnswerHeaders): AxiosHeaders {
  const own = new AxiosHeaders();
  for (const [name, value = null] of Object.entries(headers)) own.set(name, value);
  return own;
}

/**
 * The axios instance that plugins get. The interface is axios's, the way out is ours: authentication stands outside
 * axios's configuration, so that no answer and no error of axios can show it.
 */
export function createAxiosClient(options: HttpOptions, call: Call): Axios {
  const { baseUrl, headers, signal, deadlineAt, peer, onExchange } = options;
  const redactor = createSecretRedactor(headers);
  return createPluginClient(async (config) => {
    const body: string | Buffer | undefined = config.data;
    const answer = await call({
      method: (config.method ?? 'get').toUpperCase(),
      url: requestUrl(baseUrl, config.url ?? '', config.params),
      headers: [headersOf(config, body !== undefined), headers],
      body,
      signal,
      deadlineAt,
      peer,
      onExchange,
      redactor,
    });
    let headersRead: AxiosHeaders | undefined;
    return {
      status: answer.status,
      statusText: '',
      // Few look at them, and axios's own kind is slow to make.
      get headers() {
        headersRead ??= answerHeaders(answer.headers);
        return headersRead;
      },
      data: parseBody(answer.body),
      duration: answer.durationMs,
      config,
    };
  });
}

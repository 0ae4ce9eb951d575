import axios, {
  type AxiosInstance,
  type AxiosRequestTransformer,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { Call } from '../call.ts';
import type { Exchange } from '../exchange.ts';
import { mergeHeaders } from './merge-headers.ts';
import { parseBody } from './parse-body.ts';
import { requestUrl } from './request-url.ts';

/** What a client for one booking system and one call is made from. */
export interface HttpOptions {
  readonly baseUrl: string;
  /** Sent with each request, never shown: authentication and the like. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Who is called, in words, for messages; the host name where left out. */
  readonly peer?: string;
  readonly onExchange?: (exchange: Exchange) => void;
}

const writeBody: AxiosRequestTransformer = (body, headers) => {
  if (body === undefined || body === null) return undefined;
  headers.setContentType('application/json', false);
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
};

function headersOf(config: InternalAxiosRequestConfig, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.headers.toJSON(true))) {
    if (value === null || value === undefined) continue;
    if (!hasBody && name.toLowerCase() === 'content-type') continue;
    headers[name] = String(value);
  }
  return headers;
}

/**
 * The axios instance that plugins get. The interface is axios's, the way out is ours: authentication stands outside
 * axios's configuration, so that no answer and no error of axios can show it.
 */
export function createAxiosClient(options: HttpOptions, call: Call): AxiosInstance {
  async function adapter(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
    const body: string | Buffer | undefined = config.data;
    const answer = await call({
      method: (config.method ?? 'get').toUpperCase(),
      url: requestUrl(options.baseUrl, config.url ?? '', config.params),
      headers: mergeHeaders(headersOf(config, body !== undefined), options.headers),
      secretHeaders: options.headers,
      body,
      signal: options.signal,
      peer: options.peer,
      onExchange: options.onExchange,
    });
    return {
      status: answer.status,
      statusText: '',
      headers: { ...answer.headers },
      data: parseBody(answer.body),
      config,
    };
  }
  return axios.create({
    adapter,
    headers: { Accept: 'application/json' },
    transformRequest: [writeBody],
    transformResponse: [],
  });
}

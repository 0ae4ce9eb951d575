import {
  Axios,
  type AxiosHeaders,
  type AxiosRequestConfig,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';

/** A request with no options except a query and a body. */
export interface PlainRequest {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  readonly body: string | Buffer | undefined;
}

/** The two ways to send a request. */
export interface ClientTransports {
  /** Sent with every request. */
  readonly defaultHeaders: Readonly<Record<string, string>>;
  /** Sends a {@link PlainRequest}. */
  send(request: PlainRequest): Promise<AxiosResponse>;
  /** Sends all others, as an axios adapter. */
  adapter(config: InternalAxiosRequestConfig): Promise<AxiosResponse>;
}

/** A request's body as sent: strings and buffers unchanged, everything else as JSON. */
function bodyText(body: unknown): string | Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

/** `bodyText` as axios's `transformRequest`: sets the content type if the request has none. */
function writeBody(body: unknown, headers: AxiosHeaders): string | Buffer | undefined {
  const text = bodyText(body);
  if (text !== undefined) headers.setContentType('application/json', false);
  return text;
}

const isEmpty = (interceptors: object) =>
  'handlers' in interceptors && Array.isArray(interceptors.handlers) && interceptors.handlers.length === 0;

function isPlain(request: AxiosRequestConfig): boolean {
  for (const option in request) if (option !== 'params') return false;
  return true;
}

/**
 * Creates an axios instance that sends plain requests directly to the transport, because merging options in axios costs
 * as much as the request itself. A request with other options, or with interceptors, goes through axios, without the
 * defaults for axios's own adapters. Both ways produce the same request.
 */
export function createPluginClient({ defaultHeaders, send, adapter }: ClientTransports): Axios {
  const defaults = {
    // A plain copy, because axios modifies the response.
    adapter: async (config: InternalAxiosRequestConfig) => ({ ...(await adapter(config)) }),
    headers: defaultHeaders,
    transformRequest: [writeBody],
    transformResponse: [],
  };
  // Frozen: a default set here would not reach a plain request, so setting one must fail rather than be ignored.
  const client = new Axios(Object.freeze(defaults));
  const { request: before, response: after } = client.interceptors;

  function ask(method: string, path: string, request: AxiosRequestConfig = {}, data?: unknown) {
    if (isPlain(request) && isEmpty(before) && isEmpty(after)) {
      return send({ method, path, params: request.params, body: bodyText(data) });
    }
    return client.request({ ...request, ...(data === undefined ? {} : { data }), method, url: path });
  }

  return Object.assign(client, {
    get: (path: string, request?: AxiosRequestConfig) => ask('GET', path, request),
    delete: (path: string, request?: AxiosRequestConfig) => ask('DELETE', path, request),
    post: (path: string, data?: unknown, request?: AxiosRequestConfig) => ask('POST', path, request, data),
    put: (path: string, data?: unknown, request?: AxiosRequestConfig) => ask('PUT', path, request, data),
    patch: (path: string, data?: unknown, request?: AxiosRequestConfig) => ask('PATCH', path, request, data),
  });
}

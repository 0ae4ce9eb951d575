import {
  Axios,
  AxiosHeaders,
  type AxiosRequestConfig,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import { writeBody } from './write-body.ts';

/** Makes one request; see axios's adapters. */
type Adapter = (config: InternalAxiosRequestConfig) => Promise<AxiosResponse>;

const headers = Object.freeze({ Accept: 'application/json' });

const isEmpty = (interceptors: object) =>
  'handlers' in interceptors && Array.isArray(interceptors.handlers) && interceptors.handlers.length === 0;

const asksForMore = (request: AxiosRequestConfig) =>
  Object.keys(request).some((option) => option !== 'params' && option !== 'headers');

/**
 * Makes an axios instance over an adapter. Its own defaults are left out: they are for axios's adapters. A request with
 * nothing but query, headers and body goes to the adapter directly, since axios's merging of options costs as much as
 * the request itself; with other options, or interceptors, it goes axios's way. Both write the same request.
 */
export function createPluginClient(adapter: Adapter): Axios {
  const defaults = {
    // axios writes to the answer that it gets: a plain copy.
    adapter: async (config: InternalAxiosRequestConfig) => ({ ...(await adapter(config)) }),
    headers,
    transformRequest: [writeBody],
    transformResponse: [],
  };
  // What is set here would not reach a direct request: better that it fails than that it is lost.
  const client = new Axios(Object.freeze(defaults));
  const { request: before, response: after } = client.interceptors;

  async function ask(
    method: string,
    url: string,
    request: AxiosRequestConfig = {},
    body?: { data: unknown },
  ) {
    if (asksForMore(request) || !isEmpty(before) || !isEmpty(after)) {
      return client.request({ ...request, ...body, method, url });
    }
    const own = new AxiosHeaders(headers);
    for (const [name, value] of Object.entries(request.headers ?? {})) own.set(name, value);
    const data = writeBody(body?.data, own);
    return adapter({ method, url, params: request.params, headers: own, data });
  }

  return Object.assign(client, {
    get: (url: string, request?: AxiosRequestConfig) => ask('get', url, request),
    delete: (url: string, request?: AxiosRequestConfig) => ask('delete', url, request),
    post: (url: string, data?: unknown, request?: AxiosRequestConfig) => ask('post', url, request, { data }),
    put: (url: string, data?: unknown, request?: AxiosRequestConfig) => ask('put', url, request, { data }),
    patch: (url: string, data?: unknown, request?: AxiosRequestConfig) =>
      ask('patch', url, request, { data }),
  });
}

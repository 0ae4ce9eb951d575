import { isUtf8 } from 'node:buffer';
import {
  type BookingSystemResponse,
  BookingSystemUnavailable,
  type RequestAuthentication,
  type SentSecrets,
  type Session,
  type SignableRequest,
} from '@waiver-service/core';
import {
  Axios,
  AxiosHeaders,
  type AxiosRequestConfig,
  type AxiosResponse,
  type AxiosResponseDefault,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { BeforeRequest, Call, CallAnswer } from '../call.ts';
import { type Exchange, parseBody, textOf, type UnsentRequest } from '../exchange.ts';
import {
  createSecretRedactor,
  isSecretName,
  secretsOfTokenAnswer,
  secretsOfTokenRequest,
  UseSecrets,
} from '../redaction/secrets.ts';
import type { CallTrace } from '../trace/call-trace.ts';
import type { AnswerHeaders } from '../transport/transport.ts';
import {
  extendHeaders,
  headersByName,
  percentEncode,
  prepareCommonHeaders,
  requestUrl,
  tokenRequestUrl,
} from './prepared-request.ts';

/** How long to wait for a session. */
export interface SessionWait {
  readonly signal: AbortSignal;
  /** By `performance.now()`. */
  readonly deadlineAt?: number | undefined;
}

/** The source of one installation's sessions. */
export interface SessionSource {
  /** The session to authenticate a request with. */
  current(wait: SessionWait): Promise<Session>;
  /** A replacement for a refused session; `undefined` if another one would not help. */
  replace(refused: Session, wait: SessionWait): Promise<Session | undefined>;
  /** Whether a response refuses its request's session. */
  isRefusal(response: BookingSystemResponse): boolean;
}

/**
 * Makes a request with the current session. If that session is refused, the request has had no effect and is made once
 * more with another session.
 */
async function withSession<Response extends BookingSystemResponse>(
  source: SessionSource,
  wait: SessionWait & { readonly trace?: CallTrace | undefined },
  secrets: UseSecrets,
  request: (session: Session) => Promise<Response>,
): Promise<Response> {
  const { trace } = wait;
  const traced = <Result>(step: () => Promise<Result>) => (trace ? trace.waitFor('session', step) : step());
  const attempt = (session: Session) => {
    const { accessToken, refreshToken = '' } = session;
    secrets.add({ accessToken, refreshToken });
    return request(session);
  };
  // Before the request waits for its turn, because renewing a session also takes turns.
  const session = await traced(() => source.current(wait));
  const response = await attempt(session);
  if (!source.isRefusal(response)) return response;
  const other = await traced(() => source.replace(session, wait));
  return other === undefined ? response : attempt(other);
}

/** Computes what authenticates one request; it gets a session if the target has `sessions`. */
type Authenticate = (
  request: SignableRequest,
  session: Session | undefined,
) => RequestAuthentication | Promise<RequestAuthentication>;

const noBytes = Buffer.alloc(0);

function bytesOf(body: string | Buffer | undefined): Buffer {
  if (body === undefined) return noBytes;
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/** Appends parameters to a URL's query, without respelling the existing ones. */
function withQuery(url: URL, parameters: Readonly<Record<string, string>>): URL {
  const added = Object.entries(parameters).map(
    ([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`,
  );
  if (added.length === 0) return url;
  const extended = new URL(url);
  extended.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...added].join('&');
  return extended;
}

/** The input of {@link authenticated} besides the request. */
interface Authentication {
  readonly authenticate: Authenticate;
  readonly session: Session | undefined;
  readonly now: Date;
  readonly secrets: UseSecrets;
}

/** Adds a request's authentication. A signature may cover all of it, so nothing may change it afterwards. */
async function authenticated(
  request: UnsentRequest,
  { authenticate, session, now, secrets }: Authentication,
): Promise<UnsentRequest> {
  const { method, url, headers } = request;
  const body = bytesOf(request.body);
  const signable = { method, url: new URL(url), headers: headersByName(headers), body, now };
  const { headers: addedHeaders = {}, query = {} } = await authenticate(signable, session);
  secrets.add(addedHeaders, query);
  return {
    method,
    url: withQuery(url, query),
    headers: extendHeaders(headers, addedHeaders),
    body: request.body === undefined ? undefined : body,
  };
}

/** Options for one use of a client. */
export interface HttpUse {
  readonly signal: AbortSignal;
  /** When all calls of this use must have ended, by `performance.now()`. Each also has its own timeout. */
  readonly deadlineAt?: number | undefined;
  /** Called before every request, whatever its purpose. */
  readonly beforeRequest?: BeforeRequest | undefined;
  /** Called after each call, redacted. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** The current time, for signatures; the system's clock by default. */
  readonly now?: (() => Date) | undefined;
  /** Records the calls, which then go over separate connections; see {@link Outbound.openTrace}. */
  readonly trace?: CallTrace | undefined;
}

/** The client of one use. */
export interface HttpClient {
  readonly http: Axios;
  /** The secrets that this use has sent. */
  readonly secrets: SentSecrets;
}

/** For requests for tokens: everything that they send and receive is secret. */
interface TokenRequests {
  /** Allowed origins of absolute URLs, besides that of the base address. */
  readonly origins: readonly string[];
}

/**
 * Axios, whose `get` and `post` pass their arguments on as they are. Its own ones merge them into a configuration first,
 * which `request` then merges once more: a third of what axios costs for each call.
 */
class OnceMergingAxios extends Axios {
  constructor(defaults: AxiosRequestConfig) {
    super(defaults);
    Object.defineProperty(this.defaults, 'headers', { value: {}, writable: true, configurable: true });
  }

  /**
   * axios merges the enumerable defaults. Headers become one when a plugin has set any: merging them takes several
   * microseconds for each request, even if there are none.
   */
  override request<T = unknown, R = AxiosResponseDefault, D = unknown, P = unknown>(
    config: AxiosRequestConfig<D, P>,
  ) {
    if (Object.keys(this.defaults.headers).length > 0)
      Object.defineProperty(this.defaults, 'headers', { enumerable: true });
    return super.request<T, R, D, P>(config);
  }

  override get<T = unknown, R = AxiosResponseDefault, D = unknown, P = unknown>(
    url: string,
    config?: AxiosRequestConfig<D, P>,
  ) {
    return this.request<T, R, D, P>({ ...config, method: 'get', url });
  }

  override post<T = unknown, R = AxiosResponseDefault, D = unknown, P = unknown>(
    url: string,
    data?: D,
    config?: AxiosRequestConfig<D, P>,
  ) {
    const request: AxiosRequestConfig<D, P> = { ...config, method: 'post', url };
    if (data !== undefined) request.data = data;
    return this.request<T, R, D, P>(request);
  }
}

/** The booking system that a client calls. */
export interface HttpTarget {
  readonly baseUrl: string;
  /** Sent with each request and never shown, such as authentication. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called before each request is sent; its result is never shown either. */
  readonly authenticate?: Authenticate | undefined;
  /** The source of the sessions passed to `authenticate`; none by default. */
  readonly sessions?: SessionSource | undefined;
  /** For a client that requests tokens: see {@link TokenRequests}. */
  readonly tokens?: TokenRequests | undefined;
  /** Further texts that are never shown, even if not sent. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** The name of the called party, for messages; the host name by default. */
  readonly peer?: string;
}

function headersOf({ headers, data }: InternalAxiosRequestConfig): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === null || value === undefined || value === false) continue;
    if (data === undefined && name.toLowerCase() === 'content-type') continue;
    read[name] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return read;
}

/** A response's headers: their names are lower-case, and axios need not compare and rewrite each of them. */
class ReceivedHeaders extends AxiosHeaders {
  override normalize() {
    return this;
  }
}

// Setting them one by one would take twenty times as long.
const answerHeaders = (headers: AnswerHeaders) => Object.assign(new ReceivedHeaders(), headers);

const responseOf = (
  answer: CallAnswer,
  config: InternalAxiosRequestConfig,
  trace: CallTrace | undefined,
): AxiosResponse => ({
  status: answer.status,
  statusText: '',
  headers: answerHeaders(answer.headers),
  config,
  data: trace ? trace.parse(answer.body) : parseBody(answer.body),
  duration: answer.durationMs,
});

/** A request's body as sent: strings and buffers unchanged, everything else as JSON. */
function writeBody(body: unknown, headers: AxiosHeaders): string | Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  headers.setContentType('application/json', false);
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

const currentTime = () => new Date();

// As it is, or in a form.
const lostCharacter = /\uFFFD|%EF%BF%BD/i;
const lostCharacters =
  'nothing was written: what was read before has characters that could not be decoded, and writing it back would lose them. Have the booking system answer in UTF-8, or declare the charset in Content-Type';

/** Records the secrets of a token request. @returns a function that records those of its response */
function watchTokens(url: URL | null, body: string | Buffer | undefined, secrets: UseSecrets) {
  secrets.add(secretsOfTokenRequest(url?.search ?? ''), secretsOfTokenRequest(String(body ?? '')));
  return (status: number, answer: Buffer) =>
    secrets.add(secretsOfTokenAnswer(status >= 200 && status < 300, textOf(answer)));
}

/**
 * Prepares axios instances, one for each use, so that what a plugin adds to one (an interceptor, a default) ends with its
 * use. All of their requests go through one adapter, which adds the authentication: below axios's configuration, no
 * response, error or interceptor can reveal it, and a request that is repeated gets its own turn and signature.
 */
export function prepareAxiosClient(
  { baseUrl, headers: standing, authenticate, sessions, tokens, secrets: never = {}, peer }: HttpTarget,
  call: Call,
): (use: HttpUse) => HttpClient {
  const redactor = createSecretRedactor(standing, never);
  const prepare = prepareCommonHeaders({ Accept: 'application/json' }, standing);

  function ask(
    { method = 'get', url: path = '', params, data: body }: InternalAxiosRequestConfig,
    own: Readonly<Record<string, string>>,
    { signal, deadlineAt, beforeRequest, onExchange, now = currentTime, trace }: HttpUse,
    secrets: UseSecrets,
    session: Session | undefined,
  ) {
    const url = URL.parse(
      tokens ? tokenRequestUrl(baseUrl, path, params, tokens.origins) : requestUrl(baseUrl, path, params),
    );
    return call({
      method: method.toUpperCase(),
      url,
      headers: prepare(own),
      body,
      signal,
      deadlineAt,
      peer,
      beforeRequest,
      authenticate:
        authenticate && ((request) => authenticated(request, { authenticate, session, now: now(), secrets })),
      onAnswer: tokens && watchTokens(url, body, secrets),
      onExchange,
      redactor: secrets,
      trace,
    });
  }

  function createAdapter(use: HttpUse, secrets: UseSecrets) {
    // Whether a response was not UTF-8, nor of the charset that it declared.
    let hasLostCharacters = false;
    return (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => {
      const own = headersOf(config);
      // Set by the plugin itself.
      const credentials = Object.entries(own).filter(([name]) => isSecretName(name));
      if (credentials.length > 0) secrets.add(Object.fromEntries(credentials));
      if (hasLostCharacters && typeof config.data === 'string' && lostCharacter.test(config.data))
        return Promise.reject(new BookingSystemUnavailable(lostCharacters));
      const attempt = async (session?: Session) => {
        const answer = await ask(config, own, use, secrets, session);
        hasLostCharacters ||= !isUtf8(answer.body);
        return responseOf(answer, config, use.trace);
      };
      return sessions === undefined ? attempt() : withSession(sessions, use, secrets, attempt);
    };
  }

  return (use) => {
    const secrets = new UseSecrets(redactor);
    // Not `axios.create`, whose defaults are those of axios's own transports: merging them takes longer than all the rest.
    // For the same reason there are no default headers but those that a plugin sets: `prepare` adds the others.
    const http = new OnceMergingAxios({
      adapter: createAdapter(use, secrets),
      transformRequest: writeBody,
    });
    return { http, secrets };
  };
}

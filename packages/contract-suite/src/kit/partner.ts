import type { SignableRequest } from '@waiver-service/core';
import nock from 'nock';
import type { KnownAccess, NativeAnswer } from '../native/native-scenarios.ts';
import type { TokenScenario } from '../options.ts';

/** A request as the booking system receives it. */
export interface PartnerRequest {
  readonly method: string;
  /** The path as sent, not decoded, without the base address's own path. */
  readonly path: string;
  /** The query as sent, without `?`. */
  readonly query: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** The body as it was sent. */
  readonly bytes: Buffer;
}

export interface PartnerResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

/**
 * How the mocked booking system responds: with a response, or one computed from the request; `hang` never responds,
 * `reset` breaks the connection.
 */
export type PartnerAnswer =
  | PartnerResponse
  | ((request: PartnerRequest) => PartnerResponse)
  | 'hang'
  | 'reset';

const origin = 'http://127.0.0.1:47113';
const basePath = '/partner/api';
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The base address of the mocked booking system. */
export const partnerBaseUrl = `${origin}${basePath}`;
/** Its network, to which the address guard must allow plain http. */
export const partnerNetwork = '127.0.0.1/32';

/**
 * The booking system, mocked by nock. It responds on any path, so that a clause can compare the path and report the
 * difference; a surplus request, or one with an unexpected method, fails the clause.
 */
export class Partner {
  readonly requests: PartnerRequest[] = [];
  readonly #unmatched: string[] = [];
  #notify: () => void = () => {};
  #answersAll = false;
  /** Whether a response refuses the request's token, so that the client retries the request. */
  #isRefusal: (response: PartnerResponse) => boolean = () => false;
  #answerOther: (request: PartnerRequest) => PartnerResponse = () => ({});
  readonly #onNoMatch = (request: Request) => {
    this.#unmatched.push(`${request.method} ${request.url}`);
  };

  constructor() {
    nock.disableNetConnect();
    nock.emitter.on('no match', this.#onNoMatch);
  }

  /** Queues one response for each of the next requests with this method. */
  willAnswer(method: string, ...answers: readonly PartnerAnswer[]): void {
    for (const answer of answers) this.#queue(method, answer, this.#isRefusal);
  }

  /** Queues a response for each of the next requests. */
  willAnswerEach(answers: readonly { readonly method: string; readonly answer: PartnerAnswer }[]): void {
    for (const { method, answer } of answers) this.willAnswer(method, answer);
  }

  /** From now on, gives each refusal twice, because a refused request is made twice. */
  repeatRefusals(isRefusal: (response: PartnerResponse) => boolean): void {
    this.#isRefusal = isRefusal;
  }

  /** Responds to every token request at a URL, absolute or relative to the base address. */
  willAnswerTokens(tokenUrl: string, answer: (request: PartnerRequest) => PartnerResponse): void {
    const url = URL.parse(tokenUrl) ?? new URL(`${partnerBaseUrl}/${tokenUrl.replace(/^\/+/, '')}`);
    for (const method of methods) {
      const interceptor = nock(url.origin)
        .persist()
        .intercept((path) => path.split('?')[0] === url.pathname, method)
        .optionally();
      interceptor.reply(async (request: Request) => toReply(answer(await receivedOf(request))));
    }
  }

  #queue(method: string, answer: PartnerAnswer, isRefusal: (response: PartnerResponse) => boolean): void {
    const interceptor = nock(origin).intercept(() => true, method);
    if (answer === 'reset') {
      // A read whose connection breaks is made once more.
      if (method === 'GET') interceptor.times(2);
      interceptor.replyWithError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
      return;
    }
    interceptor.reply(async (request: Request) => {
      const received = await this.#record(request);
      if (answer === 'hang') return new Promise<never>(() => {});
      const response = typeof answer === 'function' ? answer(received) : answer;
      if (isRefusal(response)) this.#queue(method, answer, () => false);
      return toReply(response);
    });
  }

  /** Responds to every request without a queued response; `nth` counts them from 0. */
  willAnswerAll(answer: (request: PartnerRequest, nth: number) => PartnerResponse): void {
    let nth = 0;
    this.#answerOther = (request) => {
      nth += 1;
      return answer(request, nth - 1);
    };
    if (this.#answersAll) return;
    this.#answersAll = true;
    for (const method of methods) {
      const interceptor = nock(origin)
        .persist()
        .intercept(() => true, method)
        .optionally();
      interceptor.reply(async (request: Request) => toReply(this.#answerOther(await this.#record(request))));
    }
  }

  /** Sets a callback for each arriving request. */
  onRequest(notify: () => void): void {
    this.#notify = notify;
  }

  /** Throws if a request was unexpected, or an expected one was never made. */
  assertAllMatched(): void {
    if (this.#unmatched.length > 0) throw new Error('not every request was expected');
    const pending = nock.pendingMocks().length;
    if (pending > 0) throw new Error(`${pending} expected request(s) were never made`);
  }

  /** The error to report for a failed clause: an unexpected request is the likely cause of any other error. */
  explain(error: unknown): unknown {
    if (this.#unmatched.length === 0) return error;
    const requests = this.#unmatched.join(', ');
    return new Error(`an unexpected request was made: ${requests}`, { cause: error });
  }

  /** Restores the network for other tests in the same process. */
  close(): void {
    nock.emitter.removeListener('no match', this.#onNoMatch);
    nock.abortPendingRequests();
    nock.cleanAll();
    nock.enableNetConnect();
  }

  async #record(request: Request): Promise<PartnerRequest> {
    const received = await receivedOf(request);
    this.requests.push(received);
    this.#notify();
    return received;
  }
}

async function receivedOf(request: Request): Promise<PartnerRequest> {
  const { pathname, search } = new URL(request.url);
  const bytes = Buffer.from(await request.clone().arrayBuffer());
  return {
    method: request.method,
    path: pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname,
    query: search.slice(1),
    url: request.url,
    headers: request.headers,
    body: bytes.toString(),
    bytes,
  };
}

// Always sets content-length: without it, nock's socket does not handle a body that is aborted halfway.
function toReply(answer: PartnerResponse): [number, string, Readonly<Record<string, string>>] {
  const { status = 200, headers = {}, body } = answer;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  if (status === 204) return [status, '', headers];
  const length = String(Buffer.byteLength(text));
  return [status, text, { 'content-type': type, 'content-length': length, ...headers }];
}

/** The token endpoint of the mocked booking system. */
export class IssuingTokens {
  readonly lifetimeSeconds = 3_600;
  readonly requests: PartnerRequest[] = [];
  /** The access tokens issued so far, newest last. */
  readonly issued: string[] = [];
  /** The newest refresh token. */
  refreshToken: string | undefined;
  /** If set, the response to all further requests, instead of a token. */
  answerInstead: ((request: PartnerRequest) => NativeAnswer) | undefined;
  readonly #scenario: TokenScenario;
  readonly #signable: (request: PartnerRequest) => SignableRequest;
  readonly #access: KnownAccess;

  constructor(
    scenario: TokenScenario,
    signable: (request: PartnerRequest) => SignableRequest,
    access: KnownAccess,
  ) {
    this.#scenario = scenario;
    this.#signable = signable;
    this.#access = access;
  }

  get tokenUrl(): string {
    return this.#scenario.tokenUrl;
  }

  get refused(): NativeAnswer {
    return this.#scenario.refused;
  }

  answer(request: PartnerRequest): NativeAnswer {
    this.requests.push(request);
    if (this.answerInstead) return this.answerInstead(request);
    const { isAuthentic, issue, refused } = this.#scenario;
    const access = { ...this.#access, refreshToken: this.refreshToken };
    if (!isAuthentic(this.#signable(request), access)) return refused;
    const nth = `${this.issued.length + 1}-${'0123456789'.repeat(4)}`;
    const accessToken = `issued-access-token-${nth}`;
    this.issued.push(accessToken);
    this.refreshToken = `issued-refresh-token-${nth}`;
    return issue(accessToken, this.lifetimeSeconds, this.refreshToken);
  }
}

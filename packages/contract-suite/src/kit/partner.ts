import nock from 'nock';

/** A request as the booking system would get it. */
export interface PartnerRequest {
  readonly method: string;
  /** The path as sent, nothing decoded, without the base address' own path where it has that. */
  readonly path: string;
  /** The query as sent, without `?`. */
  readonly query: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** What the booking system answers: a status and a body, nothing at all, or a connection that breaks. */
export type PartnerAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text is sent as it is, anything else as JSON, nothing where absent. */
      readonly body?: unknown;
    }
  | 'hang'
  | 'reset';

const origin = 'http://127.0.0.1:47113';
const basePath = '/partner/api';

/** The base address of the booking system that plugins talk to in the suite. */
export const partnerBaseUrl = `${origin}${basePath}`;
/** The network that it stands in: plain http to it must be allowed. */
export const partnerNetwork = '127.0.0.1/32';

/**
 * The booking system as nock plays it. Any path is answered, so that a clause can say what was wrong with it; a
 * request that is one too many, or has another method, is nobody's and fails the clause.
 */
export class Partner {
  readonly requests: PartnerRequest[] = [];
  readonly #unmatched: string[] = [];
  #notify: () => void = () => {};
  readonly #onNoMatch = (request: Request) => {
    this.#unmatched.push(`${request.method} ${request.url}`);
  };

  constructor() {
    nock.disableNetConnect();
    nock.emitter.on('no match', this.#onNoMatch);
  }

  /** Answers the next requests of a method, one each. */
  willAnswer(method: string, ...answers: readonly PartnerAnswer[]): void {
    for (const answer of answers) {
      const interceptor = nock(origin).intercept(() => true, method);
      if (answer === 'reset') {
        interceptor.replyWithError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
        continue;
      }
      interceptor.reply(async (request: Request) => {
        await this.#record(request);
        if (answer === 'hang') return new Promise<never>(() => {});
        return written(answer);
      });
    }
  }

  /** Does something as soon as a request has come. */
  onRequest(notify: () => void): void {
    this.#notify = notify;
  }

  /** Throws where a request went to nobody, or an answer was never asked for. */
  assertAllMatched(): void {
    if (this.#unmatched.length > 0) throw new Error('not every request was expected');
    const pending = nock.pendingMocks().length;
    if (pending > 0) throw new Error(`${pending} expected request(s) were never made`);
  }

  /** What a clause failed with; where a request went to nobody, that is told first, since all else follows from it. */
  explain(error: unknown): unknown {
    if (this.#unmatched.length === 0) return error;
    const requests = this.#unmatched.join(', ');
    return new Error(`a request that no one expected was made: ${requests}`, { cause: error });
  }

  /** Takes everything down again: other tests of the same process may use the network. */
  dismiss(): void {
    nock.emitter.removeListener('no match', this.#onNoMatch);
    nock.abortPendingRequests();
    nock.cleanAll();
    nock.enableNetConnect();
  }

  async #record(request: Request): Promise<void> {
    const { pathname, search } = new URL(request.url);
    this.requests.push({
      method: request.method,
      path: pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : pathname,
      query: search.slice(1),
      url: request.url,
      headers: request.headers,
      body: Buffer.from(await request.clone().arrayBuffer()).toString(),
    });
    this.#notify();
  }
}

// The length is always announced: without it, aborting a body in the middle confuses nock's imitation of a socket.
function written(answer: Exclude<PartnerAnswer, string>): [number, string, Readonly<Record<string, string>>] {
  const { status = 200, headers = {}, body } = answer;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  if (status === 204) return [status, '', headers];
  const length = String(Buffer.byteLength(text));
  return [status, text, { 'content-type': type, 'content-length': length, ...headers }];
}

import { isBookingSystemError } from '@waiver-service/core';
import { createSecretRedactor, type Outbound } from '@waiver-service/outbound';

/** A request and its response as a report shows them, with the key redacted. */
export interface CheckedExchange {
  readonly request: {
    readonly method: 'GET' | 'POST';
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly answer:
    | { readonly status: number; readonly contentType: string; readonly body: string }
    | { readonly failure: string };
}

/** An exchange, and the response's JSON value, or its text if it is not JSON. */
export interface Called {
  readonly exchange: CheckedExchange;
  readonly status: number | undefined;
  readonly data: unknown;
  readonly failure: string | undefined;
  /** Whether there was a response at all; if not, further calls are pointless. */
  readonly isAnswered: boolean;
}

export interface Call {
  readonly method: 'GET' | 'POST';
  /** Relative to the base address, percent-encoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The authentication header and its key; none if undefined. */
  readonly auth: { readonly name: string; readonly key: string } | undefined;
  readonly body?: unknown;
}

/** The target of a check's calls, and its limit. */
export interface CallerOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly outbound: Pick<Outbound, 'prepareHttp'>;
  /** Aborts the check. */
  readonly signal: AbortSignal;
}

export class Caller {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #outbound: Pick<Outbound, 'prepareHttp'>;
  readonly #signal: AbortSignal;

  constructor({ baseUrl, apiKey, outbound, signal }: CallerOptions) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
    this.#outbound = outbound;
    this.#signal = signal;
  }

  /** Whether the check has been aborted. */
  get isOver(): boolean {
    return this.#signal.aborted;
  }

  call(call: Call): Promise<Called> {
    return this.#send(call, this.#signal);
  }

  /** Makes a call even if the check was aborted. */
  callAtLast(call: Call): Promise<Called> {
    return this.#send(call, new AbortController().signal);
  }

  async #send({ method, path, query, auth, body }: Call, signal: AbortSignal): Promise<Called> {
    const secrets = createSecretRedactor({ key: this.#apiKey });
    const text = body === undefined ? undefined : JSON.stringify(body);
    const contentType: Record<string, string> =
      text === undefined ? {} : { 'Content-Type': 'application/json' };
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
    const request = {
      method,
      url: `${this.#baseUrl.replace(/\/$/, '')}/${path}${parameters.size > 0 ? `?${parameters}` : ''}`,
      headers: { ...(auth ? { [auth.name]: '«key»' } : {}), ...contentType },
      ...(text === undefined ? {} : { body: text }),
    };
    // The raw response body, before it was parsed.
    let shownBody = '';
    const { http } = this.#outbound.prepareHttp({
      baseUrl: this.#baseUrl,
      headers: auth ? { [auth.name]: auth.key } : {},
    })({
      onExchange: ({ excerpt }) => {
        shownBody = secrets.redact(excerpt);
      },
      signal,
    });
    try {
      const options = { headers: contentType, params: query };
      const response =
        method === 'GET' ? await http.get(path, options) : await http.post(path, text, options);
      const data: unknown = response.data;
      const answer = {
        status: response.status,
        contentType: String(response.headers['content-type'] ?? ''),
        body: shownBody,
      };
      const { status } = response;
      return { exchange: { request, answer }, status, data, failure: undefined, isAnswered: true };
    } catch (error) {
      if (!isBookingSystemError(error)) throw error;
      const failure = secrets.redact(error.message);
      const exchange = { request, answer: { failure } };
      const { upstreamStatus: status } = error;
      return { exchange, status, data: undefined, failure, isAnswered: status !== undefined };
    }
  }
}

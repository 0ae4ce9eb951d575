import type { Call, CallAnswer } from './call.ts';
import { excerptOf, keptForExcerptBytes } from './exchange.ts';
import { prepareHeaders } from './http/prepared-headers.ts';
import { createSecretRedactor, type SecretRedactor } from './redaction/secrets.ts';
import type { AnswerHeaders } from './transport/transport.ts';

type Headers = Readonly<Record<string, string>>;

/** A destination of messages such as webhooks, and their common headers. */
export interface EndpointOptions {
  readonly url: string;
  readonly headers: Headers;
}

/** One message to send unchanged. */
export interface EndpointMessage {
  readonly body: string | Buffer;
  /** Headers for this message only, such as its signature. */
  readonly headers?: Headers | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A response of any status except a redirect. The caller interprets the status. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: AnswerHeaders;
  /** The first 4 KiB of the body as text, with the request's header values redacted. Computed when read. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/** A prepared URL with its headers; prepare a new one if either changes. */
export interface Endpoint {
  /**
   * Posts one message. Without a response, rejects with one of core's errors, with details in `outboundErrorCode` and
   * `inDoubt`.
   */
  post(message: EndpointMessage): Promise<RawAnswer>;
}

// A class, because object literals with a getter take twenty times as long to create.
class EndpointAnswer implements RawAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly durationMs: number;
  readonly #body: Buffer;
  readonly #redactor: SecretRedactor;

  constructor({ status, headers, body, durationMs }: CallAnswer, redactor: SecretRedactor) {
    this.status = status;
    this.headers = headers;
    this.durationMs = durationMs;
    this.#body = body;
    this.#redactor = redactor;
  }

  get excerpt(): string {
    return excerptOf(this.#body, this.#redactor);
  }
}

export function prepareEndpoint(options: EndpointOptions, call: Call): Endpoint {
  const url = URL.parse(options.url);
  const prepare = (more: Headers = {}) => ({
    headers: prepareHeaders(options.headers, more),
    redactor: createSecretRedactor(options.headers, more),
  });
  const prepared = prepare();
  return {
    async post({ body, headers: more, signal }) {
      const { headers, redactor } = more === undefined ? prepared : prepare(more);
      const keptBytes = keptForExcerptBytes;
      return new EndpointAnswer(
        await call({ method: 'POST', url, headers, body, signal, keptBytes, redactor }),
        redactor,
      );
    },
  };
}

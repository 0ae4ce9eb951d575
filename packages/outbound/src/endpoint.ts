import type { Call, CallAnswer } from './call.ts';
import { excerptOf, keptForExcerptBytes } from './exchange.ts';
import { prepareHeaders } from './http/prepared-headers.ts';
import { createSecretRedactor, type SecretRedactor } from './redaction/secrets.ts';
import type { AnswerHeaders } from './transport/transport.ts';

type Headers = Readonly<Record<string, string>>;

/** Where messages such as webhooks go, and what goes with each of them. */
export interface EndpointOptions {
  readonly url: string;
  readonly headers: Headers;
}

/** One message to send as it is. */
export interface EndpointMessage {
  readonly body: string | Buffer;
  /** Headers of this message alone, such as its signature. */
  readonly headers?: Headers | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer of any status but a redirect. What the status means is the caller's to say. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: AnswerHeaders;
  /** The first 4 KiB of the body, as text, the request's header values replaced. Made when it is asked for. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/** One address with its headers, prepared: for as long as both stay as they are. */
export interface Endpoint {
  /**
   * Posts one message. Rejects with core's errors where no answer came: `outboundErrorCode` and `inDoubt` say more.
   */
  post(message: EndpointMessage): Promise<RawAnswer>;
}

// A class, since an object literal with a getter takes twenty times as long to make.
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

/** Prepares an {@link Endpoint}. */
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

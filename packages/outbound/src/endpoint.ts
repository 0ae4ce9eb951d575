import { type Call, type CallAnswer, targetOf } from './call.ts';
import { excerptOf, keptForExcerptBytes } from './exchange.ts';
import { prepareHeaders } from './http/prepared-request.ts';
import { createSecretRedactor, type SecretRedactor } from './redaction/secrets.ts';
import type { AnswerHeaders } from './transport/transport.ts';

/** A destination, and the version of its configuration if the caller has just read it. */
export interface ConnectionRequest {
  readonly destination: string;
  readonly settingsVersion?: string | undefined;
}

interface CachedConnection<Connection> {
  readonly version: string;
  readonly expiresAt: number;
  readonly connection: Promise<Connection>;
}

const maxAgeMs = 10_000;
const maxCached = 10_000;

/**
 * Caches ready connections to destinations: decrypted, parsed, with checked headers.
 *
 * A connection serves only the version for which it was created, which the caller has just read (with a claim, or a
 * pool's setup), and for at most ten seconds, because a previous signing secret expires without a new version. A caller
 * without a version (an operator's test, perhaps right after a change) gets a new connection.
 */
export function createConnectionCache<Connection>(
  connect: (destination: string) => Promise<Connection>,
): (wanted: ConnectionRequest) => Promise<Connection> {
  const cache = new Map<string, CachedConnection<Connection>>();
  return ({ destination, settingsVersion: version }) => {
    if (version === undefined) return connect(destination);
    const now = performance.now();
    const cached = cache.get(destination);
    if (cached !== undefined && cached.version === version && cached.expiresAt > now)
      return cached.connection;
    cache.delete(destination);
    const created = { version, expiresAt: now + maxAgeMs, connection: connect(destination) };
    cache.set(destination, created);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    created.connection.catch(() => {
      if (cache.get(destination) === created) cache.delete(destination);
    });
    return created.connection;
  };
}

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
  const target = url === null ? undefined : targetOf(url);
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
        await call({ method: 'POST', url, target, headers, body, signal, keptBytes, redactor }),
        redactor,
      );
    },
  };
}

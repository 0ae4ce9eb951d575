import type { Axios } from 'axios';
import { Agent } from 'undici';
import { createAddressGuard } from './addresses/address-guard.ts';
import { checkUrl } from './addresses/check-url.ts';
import { createGuardedConnector } from './addresses/guarded-connector.ts';
import { createCall } from './call.ts';
import { excerptOf, keptForExcerptBytes } from './exchange.ts';
import { createAxiosClient, type HttpOptions } from './http/axios-client.ts';
import { createNameResolver, type NameResolver } from './names/name-resolver.ts';
import { createSecretRedactor, type SecretRedactor } from './redaction/secrets.ts';
import type { AnswerHeaders } from './transport/transport.ts';

/** The limits of every outbound call. */
export interface OutboundOptions {
  /** CIDRs that may be reached although they are private, and by plain http (`OUTBOUND_ALLOW`). */
  readonly allow: readonly string[];
  /** Milliseconds for one call as a whole: connecting, sending, headers and body. */
  readonly timeoutMs: number;
  /** Most bytes read of an answer's body. Default 5 MiB. */
  readonly maxResponseBytes?: number;
  /** Most connections kept to one origin. Default 128. */
  readonly connectionsPerOrigin?: number;
  /** @internal Tests give one that asks name servers of their own. */
  readonly nameResolver?: NameResolver;
}

/** One message to send as it is, such as a webhook. */
export interface SendRequest {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  readonly signal?: AbortSignal;
}

/** An answer of any status but a redirect. What the status means is the caller's to say. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: AnswerHeaders;
  /** The first 4 KiB of the body, as text, the request's header values replaced. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/** The one way out of the service. */
export interface Outbound {
  /** Checks an address when it is set. Rejects with `AddressRefused`, whose message says why. */
  checkUrl(url: string): Promise<void>;
  /** The client that a plugin gets for one call. Answers of every status resolve; the rest rejects with core's errors. */
  createHttp(options: HttpOptions): Axios;
  /** Sends one message. Rejects with core's errors where no answer came: `outboundErrorCode` and `inDoubt` say more. */
  send(request: SendRequest): Promise<RawAnswer>;
  /** Closes the kept connections, after the calls that are under way. */
  close(): Promise<void>;
}

const defaultMaxResponseBytes = 5 * 1024 * 1024;

// A name that does not resolve is known as such well before the call runs out of time.
const maxLookupMs = 3_000;
const lookupDeadline = (timeoutMs: number) => Math.min(maxLookupMs, timeoutMs / 2);

/** Opens the one way out. Throws a TypeError where `allow` has something that is not a CIDR. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { timeoutMs, maxResponseBytes = defaultMaxResponseBytes, connectionsPerOrigin = 128 } = options;
  const resolver = options.nameResolver ?? createNameResolver({ deadlineMs: lookupDeadline(timeoutMs) });
  const names = { guard: createAddressGuard(options.allow), resolver };
  // One time limit rules (the transport's); undici's own are off, and HTTP/2 too, whose failures say less.
  const agent = new Agent({
    connect: createGuardedConnector(names, timeoutMs),
    connections: connectionsPerOrigin,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const call = createCall(agent, timeoutMs, maxResponseBytes);
  // Whoever sends the same headers again has their secrets found once.
  const redactors = new WeakMap<SendRequest['headers'], SecretRedactor>();
  return {
    checkUrl: (url) => checkUrl(names, url),
    createHttp: (httpOptions) => createAxiosClient(httpOptions, call),
    async send({ method, url, headers, body, signal }) {
      const redactor = redactors.get(headers) ?? createSecretRedactor(headers);
      redactors.set(headers, redactor);
      const answer = await call({
        method,
        url,
        headers: [headers],
        body,
        signal,
        keptBytes: keptForExcerptBytes,
        redactor,
      });
      return {
        status: answer.status,
        headers: answer.headers,
        excerpt: excerptOf(answer.body, redactor),
        durationMs: answer.durationMs,
      };
    },
    close: () => agent.close(),
  };
}

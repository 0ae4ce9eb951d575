import { isIP } from 'node:net';
import { Agent } from 'undici';
import {
  AddressRefused,
  createAddressGuard,
  createGuardedConnector,
  type GuardedNames,
  resolveAllowed,
  withoutBrackets,
} from './addresses/address-guard.ts';
import { type Call, createCall } from './call.ts';
import { type Endpoint, type EndpointOptions, prepareEndpoint } from './endpoint.ts';
import { type HttpClient, type HttpTarget, type HttpUse, prepareAxiosClient } from './http/axios-client.ts';
import { prepareHeaders } from './http/prepared-request.ts';
import { createNameResolver, NameNotResolved, type NameResolver } from './names/name-resolver.ts';
import { createSecretRedactor } from './redaction/secrets.ts';
import { CallTrace } from './trace/call-trace.ts';
import { Deadlines } from './transport/deadlines.ts';
import type { AnswerHeaders } from './transport/transport.ts';

/** A request of a {@link GuardedFetch}. */
export interface FetchRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * `fetch`, for libraries that accept a custom one. Subject to the limits of every outbound call; a redirect is not
 * followed, but rejects, as a forbidden address does.
 */
export type GuardedFetch = (url: string, request: FetchRequest) => Promise<Response>;

const statusesWithoutBody = new Set([204, 205]);

function headersOf(answer: AnswerHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}

const createGuardedFetch =
  (call: Call): GuardedFetch =>
  async (url, { method, headers, body, signal }) => {
    const answer = await call({
      method,
      url: URL.parse(url),
      headers: prepareHeaders(headers),
      body,
      signal,
      redactor: createSecretRedactor(headers),
    });
    return new Response(statusesWithoutBody.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: headersOf(answer.headers),
    });
  };

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new AddressRefused('this is not an absolute URL: write it with its scheme, https://…');
  return url;
}

/**
 * Checks a URL when it is configured, for early feedback. Each connection checks the resolved address again.
 *
 * @throws AddressRefused
 */
async function checkUrl(names: GuardedNames, text: string): Promise<void> {
  const { guard } = names;
  const url = parse(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new AddressRefused(`the scheme ${url.protocol} is refused: use https`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new AddressRefused('a user or a password in the URL is refused: it would end in logs');
  }
  if (url.protocol === 'http:' && !guard.allowsPlainHttp) {
    throw new AddressRefused('plain http is refused: use https, or put the address into OUTBOUND_ALLOW');
  }
  const hostname = withoutBrackets(url.hostname);
  if (isIP(hostname)) {
    const refusal = guard.refusalOf(hostname, url.protocol);
    if (refusal !== undefined) throw new AddressRefused(refusal);
    return;
  }
  try {
    await resolveAllowed(names, hostname, url.protocol);
  } catch (error) {
    // A partner may be configured before its DNS is.
    if (!(error instanceof NameNotResolved)) throw error;
  }
}

/** The limits of every outbound call. */
export interface OutboundOptions {
  /** CIDRs that may be called even if private, and by plain http (`OUTBOUND_ALLOW`). */
  readonly allow: readonly string[];
  /** The timeout of one call in milliseconds: connecting, sending, headers and body. */
  readonly timeoutMs: number;
  /** The maximum size of a response body in bytes; 5 MiB by default. */
  readonly maxResponseBytes?: number;
  /** The maximum number of connections to one origin; 128 by default. */
  readonly connectionsPerOrigin?: number;
  /** @internal Tests use one with their own name servers. */
  readonly nameResolver?: NameResolver;
}

/** The only way out of the service. */
export interface Outbound {
  /** Checks a URL when it is configured. Rejects with `AddressRefused`, whose message says why. */
  checkUrl(url: string): Promise<void>;
  /**
   * Prepares the clients of one booking system: its headers are merged and checked once. The result creates a plugin's
   * client for one use. Responses of any status except redirects resolve; everything else rejects with core's errors.
   */
  prepareHttp(target: HttpTarget): (use: HttpUse) => HttpClient;
  /** Prepares an address to which messages are posted unchanged. */
  endpoint(options: EndpointOptions): Endpoint;
  /**
   * Opens a trace for one use of a client ({@link HttpUse.trace}): it times each call step by step and keeps the
   * responses, without secrets. Close it when the use has ended.
   */
  openTrace(): CallTrace;
  /** For libraries that implement a protocol and accept a `fetch`. */
  readonly fetch: GuardedFetch;
  /** Closes the pooled connections when running calls have ended. */
  close(): Promise<void>;
}

const defaultMaxResponseBytes = 5 * 1024 * 1024;

// A failing lookup must end well before the call's timeout.
const maxLookupMs = 3_000;
const lookupDeadline = (timeoutMs: number) => Math.min(maxLookupMs, timeoutMs / 2);

/** Opens the outbound client. Throws a TypeError if `allow` contains something that is not a CIDR. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { timeoutMs, maxResponseBytes = defaultMaxResponseBytes, connectionsPerOrigin = 128 } = options;
  const resolver = options.nameResolver ?? createNameResolver({ deadlineMs: lookupDeadline(timeoutMs) });
  const names = { guard: createAddressGuard(options.allow), resolver };
  // The transport has its own timeout, so undici's are disabled; so is HTTP/2, whose failures are less specific.
  const agentOptions = {
    connect: createGuardedConnector(names, timeoutMs),
    connections: connectionsPerOrigin,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const agent = new Agent(agentOptions);
  // No pipelining means no kept connections.
  const unpooled = new Agent({ ...agentOptions, pipelining: 0 });
  const transport = { dispatcher: agent, unpooled, deadlines: new Deadlines() };
  const call = createCall(transport, timeoutMs, maxResponseBytes);
  return {
    checkUrl: (url) => checkUrl(names, url),
    prepareHttp: (target) => prepareAxiosClient(target, call),
    endpoint: (endpointOptions) => prepareEndpoint(endpointOptions, call),
    openTrace: () => new CallTrace(names, timeoutMs),
    fetch: createGuardedFetch(call),
    close: async () => void (await Promise.all([agent.close(), unpooled.close()])),
  };
}

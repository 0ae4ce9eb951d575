import { Agent } from 'undici';
import { createAddressGuard } from './addresses/address-guard.ts';
import { checkUrl } from './addresses/check-url.ts';
import { createGuardedConnector } from './addresses/guarded-connector.ts';
import { createCall } from './call.ts';
import { type Endpoint, type EndpointOptions, prepareEndpoint } from './endpoint.ts';
import { type HttpClient, type HttpTarget, type HttpUse, prepareAxiosClient } from './http/axios-client.ts';
import { createNameResolver, type NameResolver } from './names/name-resolver.ts';
import { Deadlines } from './transport/deadlines.ts';

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

/** The one way out of the service. */
export interface Outbound {
  /** Checks an address when it is set. Rejects with `AddressRefused`, whose message says why. */
  checkUrl(url: string): Promise<void>;
  /**
   * Prepares the clients of one booking system: headers are put together and checked once. What it gives makes the
   * client that a plugin gets for one use. Answers of every status resolve; the rest rejects with core's errors.
   */
  prepareHttp(target: HttpTarget): (use: HttpUse) => HttpClient;
  /** Prepares an address to which messages are posted as they are. */
  endpoint(options: EndpointOptions): Endpoint;
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
  const call = createCall({ dispatcher: agent, deadlines: new Deadlines() }, timeoutMs, maxResponseBytes);
  return {
    checkUrl: (url) => checkUrl(names, url),
    prepareHttp: (target) => prepareAxiosClient(target, call),
    endpoint: (endpointOptions) => prepareEndpoint(endpointOptions, call),
    close: () => agent.close(),
  };
}

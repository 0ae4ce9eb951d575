import type { Readable } from 'node:stream';
import type { OutboundErrorCode } from '@waiver-service/core';
import { Agent, errors } from 'undici';
import { createAddressGuard } from './addresses/address-guard.ts';
import { createGuardedConnector } from './addresses/guarded-connector.ts';
import type { NameResolver } from './names/name-resolver.ts';
import { outboundErrorCodeOf } from './transport/failure.ts';
import type { AnswerHeaders } from './transport/transport.ts';

/** A request that is sent on as it came. */
export interface RelayRequest {
  readonly method: string;
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** Name, value, name, value; without those of a connection, which the relay sets. */
  readonly headers: string[];
  readonly body: Buffer | undefined;
  /** How long the headers of the answer may take. */
  readonly timeoutMs: number;
  /** Aborts the call, also while its answer is being read. */
  readonly signal: AbortSignal;
}

/** The answer to a relayed request, as it came. */
export interface RelayedAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Must be read to its end, or destroyed. */
  readonly body: Readable;
}

/** A relayed request got no answer. */
export class RelayFailed extends Error {
  override readonly name = 'RelayFailed';
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, cause: unknown) {
    super(`the call could not be relayed: ${code}`, { cause });
    this.code = code;
  }
}

/**
 * Sends requests on to addresses that the operator has named, which may be private ones. Bodies are neither changed nor
 * limited; redirects are passed on.
 */
export interface Relay {
  /** Rejects with `RelayFailed` if there is no answer. */
  send(request: RelayRequest): Promise<RelayedAnswer>;
  close(): Promise<void>;
}

const everywhere = ['0.0.0.0/0', '::/0'];
const connectTimeoutMs = 5_000;
// An answer that is silent for so long has lost its sender; streams of events have a heartbeat.
const silenceMs = 60_000;

function failureOf(error: unknown, origin: string): RelayFailed {
  if (error instanceof errors.HeadersTimeoutError) return new RelayFailed('timeout', error);
  return new RelayFailed(outboundErrorCodeOf(error, true, origin) ?? 'connection_reset', error);
}

/** Creates a {@link Relay}. It has a connection for each caller that waits, so it needs no limit of its own. */
export function createRelay(resolver: NameResolver): Relay {
  const names = { guard: createAddressGuard(everywhere), resolver };
  const agent = new Agent({
    connect: createGuardedConnector(names, connectTimeoutMs),
    allowH2: false,
    bodyTimeout: silenceMs,
  });
  return {
    async send({ method, origin, path, headers, body = null, timeoutMs, signal }) {
      try {
        const options = { method, origin, path, headers, body, signal, headersTimeout: timeoutMs };
        const answer = await agent.request(options);
        return { status: answer.statusCode, headers: answer.headers, body: answer.body };
      } catch (error) {
        throw failureOf(error, origin);
      }
    },
    close: () => agent.destroy(),
  };
}

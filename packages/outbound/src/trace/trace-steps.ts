import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import {
  AddressRefused,
  type GuardedNames,
  guardLookup,
  withoutBrackets,
} from '../addresses/address-guard.ts';

/** A header; its value is redacted if it may carry a secret. */
export interface ShownHeader {
  readonly name: string;
  readonly value: string;
}

/** A body that was sent or received, as text without secrets. */
export interface ShownBody {
  /** Only the start, if the body is long. */
  readonly text: string;
  /** The total size; if a response was cut off, the size of the part that arrived. */
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** Opening a connection. `failure`: why it could not be opened. */
type ConnectionStep =
  | {
      readonly kind: 'dns';
      readonly host: string;
      readonly addresses?: readonly string[];
      readonly failure?: string;
    }
  | { readonly kind: 'connect'; readonly address: string; readonly port: number; readonly failure?: string }
  | {
      readonly kind: 'tls';
      readonly host: string;
      readonly protocol?: string | undefined;
      readonly issuer?: string | undefined;
      readonly certificateUntil?: string | undefined;
      readonly failure?: string;
    };

/** A request and its response. */
interface RequestStep {
  readonly kind: 'request';
  readonly method: string;
  /** Without secrets. */
  readonly url: string;
  readonly headers: readonly ShownHeader[];
  readonly body?: ShownBody;
  /** Milliseconds from the start of the trace to the first byte of the response. */
  readonly answeredAfterMs?: number;
  readonly answer?: {
    readonly status: number;
    readonly headers: readonly ShownHeader[];
    readonly body: ShownBody;
  };
  readonly failure?: string;
}

/** Parsing a response body as JSON. */
interface ParseStep {
  readonly kind: 'parse';
  readonly failure?: string;
}

/** Waiting before a request: for its session, or for its turn within the vendor's rate limits. */
export interface WaitStep {
  readonly kind: 'session' | 'turn';
  readonly failure?: string;
}

/** One step of a traced use. Times are in milliseconds; `startedMs` counts from the start of the trace. */
export type TraceStep = (ConnectionStep | RequestStep | ParseStep | WaitStep) & {
  readonly startedMs: number;
  readonly durationMs: number;
};

type ConnectOptions = buildConnector.Options;

/** Called at the end of each phase of a connection. Times are by `performance.now()`. */
export type OnConnectionStep = (step: ConnectionStep, startedAt: number, endedAt: number) => void;

const messageOf = (error: Error) => {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return error.message || code || error.name;
};

// undici passes a scheme's default port as an empty string.
const portOf = ({ protocol, port }: ConnectOptions) => Number(port || (protocol === 'https:' ? 443 : 80));

function tlsFacts(socket: unknown) {
  if (!(socket instanceof TLSSocket)) return {};
  const { issuer, valid_to: validUntil } = socket.getPeerCertificate();
  const organization = issuer?.O ?? issuer?.CN;
  return {
    protocol: socket.getProtocol() ?? undefined,
    issuer: Array.isArray(organization) ? organization.join(', ') : organization,
    certificateUntil: validUntil === undefined ? undefined : new Date(validUntil).toISOString(),
  };
}

/**
 * Connects as the guarded connector does, but in phases that can be timed: name lookup, connection, TLS. Only for
 * traced calls, so that others do not pay for it.
 */
export function createTracedConnector(
  names: GuardedNames,
  timeoutMs: number,
  onStep: OnConnectionStep,
): buildConnector.connector {
  const limits = { timeout: timeoutMs, allowH2: false } as const;
  const secure = buildConnector(limits);

  function lookUpFor(protocol: string, onResolved: () => void) {
    const lookUp = guardLookup(names, protocol);
    const traced: typeof lookUp = (hostname, options, callback) => {
      const startedAt = performance.now();
      lookUp(hostname, options, (error, address, family) => {
        const listed = Array.isArray(address) ? address.map((one) => one.address) : [address];
        const result = error ? { failure: messageOf(error) } : { addresses: listed };
        onStep({ kind: 'dns', host: hostname, ...result }, startedAt, performance.now());
        if (!error) onResolved();
        callback(error, address, family);
      });
    };
    return traced;
  }

  function encrypt(
    options: ConnectOptions,
    socket: Parameters<buildConnector.Callback>[1],
    callback: buildConnector.Callback,
  ) {
    const startedAt = performance.now();
    secure({ ...options, httpSocket: socket ?? undefined }, (...outcome) => {
      const [error, encrypted] = outcome;
      const result = error ? { failure: messageOf(error) } : tlsFacts(encrypted);
      onStep({ kind: 'tls', host: options.hostname, ...result }, startedAt, performance.now());
      callback(...outcome);
    });
  }

  return (options, callback) => {
    const { protocol } = options;
    const host = withoutBrackets(options.hostname);
    const refusal = isIP(host) ? names.guard.refusalOf(host, protocol) : undefined;
    let startedAt = performance.now();
    if (refusal !== undefined) {
      onStep(
        { kind: 'connect', address: host, port: portOf(options), failure: refusal },
        startedAt,
        startedAt,
      );
      return callback(new AddressRefused(refusal), null);
    }
    let isResolved = isIP(host) !== 0;
    const onResolved = () => {
      isResolved = true;
      startedAt = performance.now();
    };
    const connect = buildConnector({ ...limits, lookup: lookUpFor(protocol, onResolved), port: 0 });
    const port = portOf(options);
    const wanted = { ...options, protocol: 'http:', port: String(port) };
    return connect(wanted, (...outcome) => {
      const [error, socket] = outcome;
      // A failed lookup is reported by its own step.
      if (isResolved) {
        const address = socket?.remoteAddress ?? host;
        const result = error ? { failure: messageOf(error) } : {};
        onStep({ kind: 'connect', address, port, ...result }, startedAt, performance.now());
      }
      if (error || protocol !== 'https:') callback(...outcome);
      else encrypt(options, socket, callback);
    });
  };
}

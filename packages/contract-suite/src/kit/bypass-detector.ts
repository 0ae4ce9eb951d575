import { AsyncLocalStorage } from 'node:async_hooks';
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { outboundRequestChannel } from '@waiver-service/outbound';

const guarded = new AsyncLocalStorage<true>();

interface RequestMessage {
  readonly request?: { readonly method?: string; readonly origin?: string; readonly path?: string };
}

function nameOf(message: unknown): string {
  const { request = {} }: RequestMessage = Object(message);
  const { method = '', origin = '', path = '' } = request;
  return `${method} ${origin}${path}`;
}

// Every way out of Node.js publishes to at least one of these channels. Reusing a kept-alive connection publishes no
// socket, but each request on it is published.
const waysOut: Readonly<Record<string, (message: unknown) => string>> = {
  'undici:request:create': (message) => `fetch or undici: ${nameOf(message)}`,
  'http.client.request.start': (message) => `node:http: ${nameOf(message)}`,
  'net.client.socket': () => 'a TCP connection',
  'udp.socket': () => 'a UDP socket',
};

/** Detects requests and sockets other than the guarded client's. */
export class BypassDetector {
  readonly #seen = new Set<string>();
  readonly #listeners = Object.entries(waysOut).map(([name, describe]) => {
    const listener = (message: unknown) => {
      if (guarded.getStore() === undefined) this.#seen.add(describe(message));
    };
    return { name, listener };
  });

  constructor() {
    channel(outboundRequestChannel).bindStore(guarded, () => true);
    for (const { name, listener } of this.#listeners) subscribe(name, listener);
  }

  /** Throws if any was detected. */
  assertNone(): void {
    const error = this.explain(undefined);
    if (error !== undefined) throw error;
  }

  /** The error to report for a failed clause: a call that bypassed the client takes precedence. */
  explain(error: unknown): unknown {
    if (this.#seen.size === 0) return error;
    const calls = [...this.#seen].join('; ');
    return new Error(`the plugin made calls without context.http: ${calls}`, { cause: error });
  }

  close(): void {
    for (const { name, listener } of this.#listeners) unsubscribe(name, listener);
    channel(outboundRequestChannel).unbindStore(guarded);
  }
}

import type { AppOptions } from '@waiver-service/http';
import type { AttemptTracing } from '@waiver-service/integration';
import type { Waivers } from '@waiver-service/store';

type RequestTracing = AppOptions['tracing'];

export interface TracingSettings {
  /** The address of the collector's traces. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of traces that are recorded, from 0 to 1. */
  readonly sampleRatio: number;
}

/**
 * Traces of what the host does. Each stored change of a waiver has one trace: the request, the change, and every
 * attempt to send it, on any host. No name, attribute or link contains guest data, a waiver's id, an address or a key.
 */
export interface Tracing extends RequestTracing, AttemptTracing {
  /** Wraps the waivers, so that each change that they store begins a trace. */
  watchChanges(waivers: Waivers): Waivers;
  /** Exports the recorded spans, within a limited time. */
  close(): Promise<void>;
}

/** Without an endpoint: nothing is loaded, hooked or recorded. */
export const noTracing: Tracing = {
  watchRequests: () => {},
  watchChanges: (waivers) => waivers,
  recordAttempt: () => undefined,
  close: async () => {},
};

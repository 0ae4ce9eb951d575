import type { DispatcherEvent } from '@waiver-service/delivery';
import type { AppOptions } from '@waiver-service/http';
import type { Waivers } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';

export type AttemptEvent = Extract<DispatcherEvent, { type: 'attempt' }>;

type RequestTracing = AppOptions['tracing'];

/**
 * Traces of what the host does. Each stored change of a waiver has one trace: the request, the change, and every
 * attempt to send it, on any host. No name, attribute or link contains guest data, a waiver's id, an address or a key.
 */
export interface Tracing extends RequestTracing {
  /** Wraps the waivers, so that each change that they store begins a trace. */
  watchChanges(waivers: Waivers): Waivers;
  /** Adds an attempt that has just ended to the trace of its change. Returns the id of that trace if it is sampled. */
  recordAttempt(event: AttemptEvent): string | undefined;
  /** Exports the recorded spans, within a limited time. */
  close(): Promise<void>;
}
export const Tracing: ServiceIdentifier<Tracing> = Symbol('Tracing');

/** Without an endpoint: nothing is loaded, hooked or recorded. */
export const noTracing: Tracing = {
  watchRequests: () => {},
  watchChanges: (waivers) => waivers,
  recordAttempt: () => undefined,
  close: async () => {},
};

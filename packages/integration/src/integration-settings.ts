import type { ServiceIdentifier } from 'inversify';

/** Durations in milliseconds. */
export interface IntegrationSettings {
  /** Of a call to a booking system. */
  readonly outboundTimeout: number;
  /** How long an account's former key is accepted after a new one was installed. */
  readonly keyOverlap: number;
}
export const IntegrationSettings: ServiceIdentifier<IntegrationSettings> = Symbol('IntegrationSettings');

import type { SigningOfWaiver } from '@waiver-service/api';
import type { SignedDocument, Warning } from '@waiver-service/core';
import type { Outbound as OutboundClient } from '@waiver-service/outbound';
import type { Store as OpenStore } from '@waiver-service/store';
import type { BookingKey } from '@waiver-service/waivers';
import type { FastifyBaseLogger } from 'fastify';
import type { ServiceIdentifier } from 'inversify';

// Injected services that no class of the host makes. Each identifier has the name of its type.

export type Store = OpenStore;
export const Store: ServiceIdentifier<Store> = Symbol('Store');

export type Log = FastifyBaseLogger;
export const Log: ServiceIdentifier<Log> = Symbol('Log');

export type Outbound = OutboundClient;
export const Outbound: ServiceIdentifier<Outbound> = Symbol('Outbound');

/** The public base address, without a trailing slash; known once the host listens. */
export type BaseUrl = () => string;
export const BaseUrl: ServiceIdentifier<BaseUrl> = Symbol('BaseUrl');

/** The address of the check-in page of a link. */
export const checkInUrl = (baseUrl: string, token: string): string => `${baseUrl}/check-in/${token}`;

/** Durations in milliseconds. */
export interface IntegrationSettings {
  /** Of a call to a booking system. */
  readonly outboundTimeout: number;
  /** How long an account's former key is accepted after a new one was installed. */
  readonly keyOverlap: number;
}
export const IntegrationSettings: ServiceIdentifier<IntegrationSettings> = Symbol('IntegrationSettings');

/** What the contract's routes show of the page on which guests sign. Given by the feature that has it. */
export interface CheckIn {
  /** Whether a pool has something to sign. */
  hasForm(pool: string): Promise<boolean>;
  /**
   * The token of the link that a booking system gets for its booking: always the same; undefined if it was revoked.
   * @param destination of the installation: a later installation gets other links
   */
  tokenOf(booking: BookingKey, destination: string): Promise<string | undefined>;
  /** Undefined if the waiver was not signed there, or is erased. */
  signingOf(pool: string, waiverId: string): Promise<SigningOfWaiver | undefined>;
  /** The signed document of a waiver, made when it is asked for; `warn` is told why one is left out. */
  documentOf(
    waiver: { readonly pool: string; readonly waiverId: string },
    warn: (warning: Warning) => void,
  ): SignedDocument;
}
export const CheckIn: ServiceIdentifier<CheckIn> = Symbol('CheckIn');

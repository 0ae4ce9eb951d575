import type { Outbound as OutboundClient } from '@waiver-service/outbound';
import type { Store as OpenStore } from '@waiver-service/store';
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

/// <reference types="@fastify/cookie" preserve="true" />
/// <reference types="@fastify/swagger" preserve="true" />
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify';
import type { ServiceIdentifier } from 'inversify';
import type { z } from 'zod';

/** Types requests by their schemas' output, responses by their schemas' input: a `Date` for a date-time. */
interface ZodTypes extends FastifyTypeProvider {
  validator: this['schema'] extends z.core.$ZodType ? z.output<this['schema']> : unknown;
  serializer: this['schema'] extends z.core.$ZodType ? z.input<this['schema']> : unknown;
}

/** The Fastify instance to add routes to: bodies, queries and path parameters are typed by their zod schemas. */
export type HostApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypes
>;

/**
 * A group of routes. Each feature's `ContainerModule` binds its own, which get the services that their constructors name.
 * Unused in a host that only dispatches.
 */
export interface RouteModule {
  addRoutes(app: HostApp): void | Promise<void>;
}
export const RouteModule: ServiceIdentifier<RouteModule> = Symbol('RouteModule');

/** Routes for what watches a host: every host has them, on a port of their own if `OPERATIONS_PORT` is set. */
export const MachineRoutes: ServiceIdentifier<RouteModule> = Symbol('MachineRoutes');

/** Reports faults of the service itself, so that operators are alerted. */
export interface Faults {
  /**
   * @param subject - the part that failed, from a small set: repeats are counted, not alerted again
   * @param detail - a sentence for people, without secrets or guests' data
   */
  report(subject: string, detail: string): void;
}
export const Faults: ServiceIdentifier<Faults> = Symbol('Faults');

/** Watches every request, those without a known caller included: its hooks come before those that authenticate. */
export interface RequestWatcher {
  watch(app: HostApp): void;
}
export const RequestWatcher: ServiceIdentifier<RequestWatcher> = Symbol('RequestWatcher');

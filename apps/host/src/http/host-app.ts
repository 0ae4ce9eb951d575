import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify';
import type { z } from 'zod';
import type { RouteServices } from '../container/route-services.ts';

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

/** The HTTP servers of a host. Features add their routes to `app`. */
export interface HostApps {
  readonly app: HostApp;
  /** Serves health, readiness and metrics if `OPERATIONS_PORT` is set. */
  readonly operations: HostApp | undefined;
}

/** Adds a group of routes to the app, which take the services they need by name. */
export type RouteModule<Services = RouteServices> = (
  app: HostApp,
  services: Services,
) => void | Promise<void>;

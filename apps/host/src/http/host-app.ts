import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

/** The Fastify instance to add routes to: bodies, queries and path parameters are typed by their zod schemas. */
export type HostApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Adds a group of routes to the app. `services` is what these routes need, and no more. */
export type RouteModule<Services> = (app: HostApp, services: Services) => void;

// Declares the access of a route.
import { isBudgeted, sharedStatuses } from '@waiver-service/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

const operationSchema = z.object({ responses: z.record(z.string(), z.unknown()).default({}) });
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

// Every host has the same document: it is read once for all test files of a worker.
let statuses: ReadonlyMap<string, ReadonlySet<string>> | undefined;

const statusesOf = (app: FastifyInstance) =>
  new Map(
    Object.entries(documentSchema.parse(app.swagger()).paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { responses }]) => [
        `${method.toUpperCase()} ${path}`,
        new Set(Object.keys(responses)),
      ]),
    ),
  );

type RouteOptions = Pick<FastifyRequest['routeOptions'], 'method' | 'config' | 'schema'> & {
  readonly url: string;
};

/** Whether statuses include one, or its class as in `2XX`. */
const includes = (documented: ReadonlySet<string>, status: number): boolean =>
  documented.has(String(status)) || documented.has(`${Math.floor(status / 100)}XX`);

/** Whether an operation's documented statuses include one, or its class, or it is among those of `default`. */
export const includesStatus = (documented: ReadonlySet<string>, status: number): boolean =>
  includes(documented, status) ||
  (documented.has('default') &&
    sharedStatuses({ access: 'operator', isBudgeted: true, hasBody: true, hasParams: true }).includes(
      status,
    ));

/** Whether a route may answer with a status that its `default` response stands for. */
function isShared({ method, url, config, schema = {} }: RouteOptions, status: number): boolean {
  const { access = 'public' } = config;
  return sharedStatuses({
    access,
    isBudgeted: isBudgeted({ access, method: String(method), url }),
    hasBody: 'body' in schema,
    hasParams: 'params' in schema,
  }).includes(status);
}

/** Whether the API document of a host names a status; `undefined` if it lacks the operation, such as a page. */
export function isDocumented(app: FastifyInstance, route: RouteOptions, status: number): boolean | undefined {
  statuses ??= statusesOf(app);
  const documented = statuses.get(`${String(route.method)} ${route.url.replaceAll(/:(\w+)/g, '{$1}')}`);
  return documented && (includes(documented, status) || isShared(route, status));
}

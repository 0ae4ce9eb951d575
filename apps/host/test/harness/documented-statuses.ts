import type { FastifyInstance } from 'fastify';
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

/** Whether an operation's documented statuses include one, or its class as in `2XX`. */
export const includesStatus = (documented: ReadonlySet<string>, status: number): boolean =>
  documented.has(String(status)) || documented.has(`${Math.floor(status / 100)}XX`);

/** Whether the API document of a host names a status; `undefined` if it lacks the operation, such as a page. */
export function isDocumented(app: FastifyInstance, operation: string, status: number): boolean | undefined {
  statuses ??= statusesOf(app);
  const documented = statuses.get(operation);
  return documented && includesStatus(documented, status);
}

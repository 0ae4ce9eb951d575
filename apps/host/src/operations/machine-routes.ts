import { z } from 'zod';
import type { HostServices } from '../container/tokens.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';

const statusSchema = z.object({ status: z.literal('ok') });
const ok = { status: 'ok' } as const;

export const machineRoutes: RouteModule<Pick<HostServices, 'readiness' | 'metrics'>> = (
  app,
  { readiness, metrics },
) => {
  const common = { method: 'GET', config: { access: 'public' } } as const;
  app.route({
    ...common,
    url: '/healthz',
    schema: {
      operationId: 'health',
      tags: ['Machines'],
      summary: 'Whether the process is alive',
      response: { 200: statusSchema },
    },
    handler: async () => ok,
  });
  app.route({
    ...common,
    config: {
      ...common.config,
      problems: { 503: 'The host should receive no traffic; `message` says why.' },
    },
    url: '/readyz',
    schema: {
      operationId: 'readiness',
      tags: ['Machines'],
      summary:
        'Whether the host should receive traffic: the database is reachable, migrated and writable, and the host is not shutting down',
      response: { 200: statusSchema },
    },
    handler: async () => {
      const refusal = await readiness.refusal();
      if (refusal === undefined) return ok;
      throw new HttpProblem(503, 'not_ready', refusal);
    },
  });
  app.route({
    ...common,
    url: '/metrics',
    schema: {
      operationId: 'metrics',
      tags: ['Machines'],
      summary: 'Prometheus metrics, as text',
      response: { 200: z.string() },
    },
    // Plain text: bypasses the JSON serializer.
    serializerCompiler: () => (text) => String(text),
    handler: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  });
};

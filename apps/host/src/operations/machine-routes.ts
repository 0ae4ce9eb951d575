import { health, metrics as metricsRoute, readiness as readinessRoute } from '@waiver-service/api';
import type { HostServices } from '../container/tokens.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';

const ok = { status: 'ok' } as const;

export const machineRoutes: RouteModule<Pick<HostServices, 'readiness' | 'metrics'>> = (
  app,
  { readiness, metrics },
) => {
  app.route({ ...health, handler: async () => ok });
  app.route({
    ...readinessRoute,
    handler: async () => {
      const refusal = await readiness.refusal();
      if (refusal === undefined) return ok;
      throw new HttpProblem(503, 'not_ready', refusal);
    },
  });
  app.route({
    ...metricsRoute,
    // Plain text: bypasses the JSON serializer.
    serializerCompiler: () => (text) => String(text),
    handler: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
  });
};

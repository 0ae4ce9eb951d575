import { health, metrics as metricsRoute, readiness as readinessRoute } from '@waiver-service/api';
import {
  type HostApp,
  HttpProblem,
  MachineRoutes,
  RequestWatcher,
  type RouteModule,
} from '@waiver-service/http';
import { DispatcherEvents, Sending, Store } from '@waiver-service/integration';
import { ContainerModule, inject, injectable } from 'inversify';
import { OverviewStore, openOverviewStore } from './data/overview-store.ts';
import { HostMetrics } from './metrics.ts';
import { Readiness } from './readiness.ts';

const ok = { status: 'ok' } as const;

@injectable()
class OperationsRoutes implements RouteModule {
  constructor(
    @inject(HostMetrics) private readonly metrics: HostMetrics,
    @inject(Readiness) private readonly readiness: Readiness,
  ) {}

  addRoutes(app: HostApp): void {
    const { readiness, metrics } = this;

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
  }
}

export const operationsModule = new ContainerModule(({ bind, onActivation }) => {
  bind(OverviewStore).toResolvedValue(openOverviewStore, [Store]);
  bind(HostMetrics).toSelf();
  bind(Readiness).toSelf();
  bind(RequestWatcher).toService(HostMetrics);
  bind(DispatcherEvents).toResolvedValue(
    (metrics: HostMetrics) => (event) => {
      if (event.type === 'attempt') metrics.countAttempt(event.message.kind, event.result.outcome);
    },
    [HostMetrics],
  );
  onActivation(Sending, ({ get }, sending) => {
    get(HostMetrics).watchSending(sending);
    return sending;
  });
  bind(RequestWatcher).toService(Readiness);
  bind(MachineRoutes).to(OperationsRoutes);
});

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
import { OverviewStore, openOverviewStore } from './data/overview.ts';
import { HostMetrics, shareResult } from './metrics.ts';

// Probes ask every few seconds; more frequent requests get the previous result.
const cacheMs = 250;

/** Whether this host should receive traffic. Queries the database once at a time. */
@injectable()
export class Readiness implements RequestWatcher {
  private readonly sharedAnswer = shareResult(() => this.store.ready(), cacheMs);
  private draining = false;

  constructor(@inject(Store) private readonly store: Pick<Store, 'ready'>) {}

  /** Why it should not, as a sentence; `undefined` if it should. */
  async refusal(): Promise<string | undefined> {
    if (this.draining) return 'The host is about to end: send the work to another one.';
    const answer = await this.sharedAnswer();
    if (answer.isReady) return undefined;
    return (
      answer.reason ?? 'The database cannot be reached, takes no writes, or its migrations are not done.'
    );
  }

  /** Makes the host not ready, because it is about to stop. */
  drain(): void {
    this.draining = true;
  }

  /**
   * Sends `connection: close` while the host drains: otherwise a client that reuses connections, such as a proxy, could
   * send its next request at the moment when the host closes one.
   */
  watch(app: HostApp): void {
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.draining) reply.header('connection', 'close');
      done();
    });
  }
}

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

import { ContainerModule } from 'inversify';
import { hostTokens } from '../container/host-tokens.ts';
import { token } from '../container/token.ts';
import { createMetrics, type HostMetrics } from './metrics.ts';
import { createReadiness, type Readiness } from './readiness.ts';

export const operationsTokens = {
  metrics: token<HostMetrics>('metrics'),
  readiness: token<Readiness>('readiness'),
};

/** Metrics and readiness. `assembleHost` adds their routes, because they may be served on a separate port. */
export const operationsModule = new ContainerModule(({ bind }) => {
  bind(operationsTokens.metrics).toResolvedValue(
    ({ outbox, overviews, retention }) =>
      createMetrics({
        countLanes: () => outbox.countLanes(),
        readFigures: () => overviews.readFigures(),
        oldestKept: () => retention.oldestKept(),
        pruned: retention.pruned,
      }),
    [hostTokens.store],
  );
  bind(operationsTokens.readiness).toResolvedValue(
    (store) => createReadiness(() => store.ready()),
    [hostTokens.store],
  );
});

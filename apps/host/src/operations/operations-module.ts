import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { createMetrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';

export const operationsModule = new ContainerModule(({ bind }) => {
  bind(tokens.metrics).toResolvedValue(...using(['store'], createMetrics));
  bind(tokens.readiness).toResolvedValue(...using(['store'], createReadiness));
});

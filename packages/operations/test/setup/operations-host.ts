import { startTestHost, type TestHost, type TestHostOptions } from '@waiver-service/testing';
import { operationsData } from '../../src/data/tables.ts';
import { operationsModule } from '../../src/operations-module.ts';
import { overviewModule } from '../../src/overview-routes.ts';

/** A host with probes and metrics. */
export const startOperationsHost = (
  options: Pick<TestHostOptions, 'settings' | 'database' | 'plugins'> = {},
): Promise<TestHost> =>
  startTestHost({
    ...options,
    features: [operationsData],
    modules: [operationsModule, overviewModule],
  });

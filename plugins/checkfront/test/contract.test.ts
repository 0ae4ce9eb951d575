import { runContractSuite } from '@waiver-service/contract-suite';
import { afterAll, beforeAll, vi } from 'vitest';
import checkfront from '../src/index.ts';
import { scenarios } from './scenarios.ts';

// The requests for notes depend on the day.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-06-11T12:00:00Z') }));
afterAll(() => void vi.useRealTimers());

runContractSuite(checkfront, {
  account: { apiSecret: 'planted-api-secret-41c07e5d' },
  isAuthentic: ({ headers }, { account: { apiKey, apiSecret } }) =>
    headers.authorization === `Basic ${btoa(`${apiKey}:${apiSecret}`)}`,
  native: scenarios,
});

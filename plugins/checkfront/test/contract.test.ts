import { type ContractSuiteOptions, runContractSuite } from '@waiver-service/contract-suite';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import checkfront from '../src/index.ts';
import { guestScenarios } from './guest-scenarios.ts';
import { scenarios } from './scenarios.ts';

// The requests for notes depend on the day.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-06-11T12:00:00Z') }));
afterAll(() => void vi.useRealTimers());

const suite = {
  isAuthentic: ({ headers }, { account: { apiKey, apiSecret } }) =>
    headers.authorization === `Basic ${btoa(`${apiKey}:${apiSecret}`)}`,
  native: scenarios,
} satisfies ContractSuiteOptions;
const apiSecret = 'planted-api-secret-41c07e5d';

runContractSuite(checkfront, { ...suite, account: { apiSecret } });

describe('an account with API v4', () => {
  runContractSuite(checkfront, { ...suite, account: { apiSecret, apiV4: true }, native: guestScenarios });
});

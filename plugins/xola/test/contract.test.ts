import { runContractSuite } from '@waiver-service/contract-suite';
import xola from '../src/index.ts';
import { scenarios } from './scenarios.ts';

runContractSuite(xola, {
  account: { durationMinutes: 90 },
  isAuthentic: ({ headers }, { account }) => headers['x-api-key'] === account.apiKey,
  native: scenarios,
});

import { runContractSuite } from '@waiver-service/contract-suite';
import checkfront from '../src/index.ts';
import { scenarios } from './scenarios.ts';

runContractSuite(checkfront, {
  account: { apiSecret: 'planted-api-secret-41c07e5d' },
  native: scenarios,
});

import { runContractSuite } from '@waiver-service/contract-suite';
import xola from '../src/index.ts';
import { scenarios } from './scenarios.ts';

runContractSuite(xola, {
  account: { durationMinutes: 90 },
  native: scenarios,
});

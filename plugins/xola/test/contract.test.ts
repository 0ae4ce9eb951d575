import { runContractSuite } from '@waiver-service/contract-suite';
import xola from '../src/index.ts';
import { scenarios } from './scenarios.ts';

runContractSuite(xola, {
  settings: { apiVersion: '2020-05-04' },
  account: { durationMinutes: 90 },
  native: scenarios,
});

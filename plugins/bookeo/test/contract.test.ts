import { runContractSuite } from '@waiver-service/contract-suite';
import bookeo from '../src/index.ts';
import { scenarios } from './scenarios.ts';

runContractSuite(bookeo, {
  settings: { secretKey: 'planted-secret-key-2b7c4e' },
  isAuthentic: ({ headers }, { account, settings }) =>
    headers['x-bookeo-apikey'] === account.apiKey && headers['x-bookeo-secretkey'] === settings.secretKey,
  native: scenarios,
});

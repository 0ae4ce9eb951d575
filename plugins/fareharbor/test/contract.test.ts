import { runContractSuite } from '@waiver-service/contract-suite';
import fareharbor from '../src/index.ts';
import { judged, scenarios } from './scenarios.ts';

runContractSuite(fareharbor, {
  settings: { appKey: 'planted-app-key-5f0e3a9c', guestNameField: 'guest name' },
  account: { shortname: 'northshore', guestCountField: 'number of guests' },
  isAuthentic: ({ headers }, { account, settings }) =>
    headers['x-fareharbor-api-app'] === settings.appKey &&
    headers['x-fareharbor-api-user'] === account.apiKey,
  native: scenarios,
  judged,
});

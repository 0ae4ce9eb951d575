import { runContractSuite } from '@waiver-service/contract-suite';
import xola from '../src/index.ts';
import { scenarios } from './scenarios.ts';

runContractSuite(xola, {
  settings: { webhookSecret: 'planted-webhook-secret' },
  account: { durationMinutes: 90 },
  isAuthentic: ({ headers }, { account }) => headers['x-api-key'] === account.apiKey,
  inboundSignature: {
    sign: (_request, { settings }) => ({ query: { secret: String(settings.webhookSecret) } }),
  },
  native: scenarios,
});

import { createHmac } from 'node:crypto';
import { runContractSuite } from '@waiver-service/contract-suite';
import bookeo from '../src/index.ts';
import { scenarios } from './scenarios.ts';

runContractSuite(bookeo, {
  settings: { secretKey: 'planted-secret-key-2b7c4e' },
  isAuthentic: ({ headers }, { account, settings }) =>
    headers['x-bookeo-apikey'] === account.apiKey && headers['x-bookeo-secretkey'] === settings.secretKey,
  inboundSignature: {
    sign({ headers, url, body, now }, { settings }) {
      const timestamp = String(now.getTime());
      const messageId = headers['x-bookeo-messageid'] ?? 'm';
      const signature = createHmac('sha256', String(settings.secretKey))
        .update(Buffer.concat([Buffer.from(timestamp + messageId + url), body]))
        .digest('hex');
      return {
        headers: {
          'X-Bookeo-Timestamp': timestamp,
          'X-Bookeo-MessageId': messageId,
          'X-Bookeo-Signature': signature,
        },
      };
    },
    toleranceMs: 120_000,
  },
  native: scenarios,
});

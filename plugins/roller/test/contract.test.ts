import { runContractSuite } from '@waiver-service/contract-suite';
import roller from '../src/index.ts';
import { judged, scenarios } from './scenarios.ts';

runContractSuite(roller, {
  account: { clientId: 'venue-client' },
  isAuthentic: ({ headers }, { accessToken }) => headers.authorization === `Bearer ${accessToken}`,
  tokens: {
    tokenUrl: 'token',
    isAuthentic({ method, headers, body }, { account }) {
      const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
      const credentials = { client_id: account.clientId, client_secret: account.apiKey };
      return method === 'POST' && isJson && Buffer.from(body).toString() === JSON.stringify(credentials);
    },
    issue: (accessToken, lifetimeSeconds) => ({
      body: { access_token: accessToken, token_type: 'Bearer', expires_in: lifetimeSeconds },
    }),
    refused: { status: 401, body: '"Invalid client credentials"' },
  },
  native: scenarios,
  judged,
});

import { createTestDatabase } from '@waiver-service/database/testing';
import { type SimulatedRoller, startRoller } from '@waiver-service/plugin-roller/simulator';
import { until } from '@waiver-service/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encryptionKeys, startTestHost, type TestHost } from '../harness/test-host.ts';

const installation = '/v1/admin/pools/jump/installations/roller';

let system: SimulatedRoller;
let database: { readonly url: string; drop(): Promise<void> };
let host: TestHost;

const startHost = () =>
  startTestHost({
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: encryptionKeys,
    BASE_URL: 'https://waivers.example',
  });

beforeEach(async () => {
  const credentials = { clientId: 'venue-client', clientSecret: 'venue-secret-1' };
  [system, database] = await Promise.all([startRoller(credentials), createTestDatabase()]);
  host = await startHost();
  await host.call('PUT', '/v1/admin/pools/jump', { name: 'jump' });
  await host.call('PUT', '/v1/admin/booking-systems/roller', { baseUrl: system.url });
  const { clientId, clientSecret: apiKey } = credentials;
  await host.call('PUT', installation, { accountId: 20711, apiKey, clientId });
});
afterEach(async () => {
  await host.close();
  await Promise.all([system.close(), database.drop()]);
});

test('webhooks are removed after an uninstall by a host that has no token of the former installation', async () => {
  await until(() => system.webhooks.all.length > 0, 'the webhook to be registered');
  await host.close();
  host = await startHost();
  expect((await host.call('DELETE', installation)).status).toBe(200);
  await until(() => system.webhooks.all.length === 0, 'the webhook to be removed');
});

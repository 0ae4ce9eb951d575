import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrongKeysPerMinute } from '../../src/integration/install-key.ts';
import { startTestHost, type TestHost } from '../harness/test-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost({ TRUST_PROXY: '1' });
});
afterAll(() => host.close());

const install = (key: string, from: string, name = 'standard') =>
  host.call(
    'POST',
    `/integration/install/${name}`,
    { key, pool: 'throttled', accountId: 1, apiKey: 'k' },
    { token: null, headers: { 'x-forwarded-for': from } },
  );

test('too many wrong keys from one address are refused for a while, there and for that booking system only', async () => {
  const { installKey } = await host.preparePool('throttled');
  for (let failure = 0; failure < wrongKeysPerMinute; failure += 1) {
    expect((await install('wrong', '203.0.113.7')).status).toBe(401);
  }
  const refused = await install(installKey, '203.0.113.7');
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_failures' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await install(installKey, '203.0.113.8')).status).toBe(200);
  expect((await install('wrong', '203.0.113.7', 'standard-query')).status).toBe(401);
  const inbound = await host.call('POST', '/integration/webhook/standard', '{', {
    token: null,
    headers: { 'x-forwarded-for': '203.0.113.7' },
  });
  expect(inbound.status).toBe(429);
});

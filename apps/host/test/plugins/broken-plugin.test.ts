import { startWebhookReceiver } from '@waiver-service/simulator';
import { expect, test } from 'vitest';
import { startTestHost } from '../harness/test-host.ts';

test('a plugin that fails to load raises an alert', async ({ onTestFinished }) => {
  const operators = await startWebhookReceiver();
  onTestFinished(() => operators.close());
  const host = await startTestHost({ RETRY_SCHEDULE: '0s' });
  onTestFinished(() => host.close());
  await host.admin('POST', '/v1/admin/alerts', {
    name: 'On call',
    url: operators.url,
    auth: { type: 'none' },
  });
  const next = await startTestHost(
    { DATABASE_URL: host.databaseUrl },
    {
      pluginPackages: ['waiver-service-plugin-broken'],
      importPackage: () => Promise.reject(new Error('syntax error of a secret kind')),
    },
  );
  onTestFinished(() => next.close());
  const [request] = await operators.untilReceived('webhook', 1);
  const alert = JSON.parse(String(request?.body));
  expect(alert).toMatchObject({ type: 'fault', link: expect.stringMatching(/\/console\/$/) });
  expect(alert.message).toContain('waiver-service-plugin-broken');
  expect(alert.message).not.toContain('secret');
});

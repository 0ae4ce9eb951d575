import { startWebhookReceiver } from '@waiver-service/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { startTestHost } from '../harness/test-host.ts';

test('metrics tell how much waits at destinations that are not sent to', async () => {
  const receiver = await startWebhookReceiver({});
  const host = await startTestHost();
  onTestFinished(async () => {
    await host.close();
    await receiver.close();
  });
  await host.preparePool('shore');
  const webhook = { url: receiver.url, auth: { type: 'none' } };
  expect((await host.call('POST', '/v1/admin/pools/shore/webhooks', webhook)).status).toBe(201);
  const [destination] = (await host.call('GET', '/v1/admin/destinations')).body.items;
  await host.call('POST', `/v1/admin/destinations/${destination.id}/pause`);
  for (const name of ['Ada', 'Bo']) {
    await host.call('POST', '/v1/pools/shore/waivers', { answers: { name } });
  }
  const { body: metrics } = await host.call('GET', '/metrics', undefined, { token: null });
  expect(metrics).toContain('waiver_service_lanes{kind="guest-webhook",state="held"} 2');
});

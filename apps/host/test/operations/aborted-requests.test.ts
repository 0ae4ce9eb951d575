import { expect, onTestFinished, test } from 'vitest';
import { startTestHost } from '../harness/test-host.ts';

test('metrics count requests whose callers hang up, with the time that they had waited', async () => {
  const host = await startTestHost();
  onTestFinished(() => host.close());
  const { accessToken: token } = await host.preparePool('shore');
  const first = await host.call('GET', '/v1/pools/shore/changes', undefined, { token });
  const metrics = async () => (await host.call('GET', '/metrics', undefined, { token: null })).text;
  const labels = 'method="GET",route="/v1/pools/:pool/changes",status="aborted"';
  expect(await metrics()).not.toContain(labels);

  const url = `${host.url}/v1/pools/shore/changes?wait=30&after=${first.body.next}`;
  const waiting = fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    // By then the host has the request, on a busy machine too.
    signal: AbortSignal.timeout(3_000),
  });
  await expect(waiting).rejects.toThrow('timeout');

  await expect.poll(metrics).toContain(`http_request_duration_seconds_count{${labels}} 1`);
  expect(await metrics()).toContain(`http_request_duration_seconds_bucket{le="0.25",${labels}} 0`);
});

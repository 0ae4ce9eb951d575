import { expect, onTestFinished, test } from 'vitest';
import { startTestHost } from '../harness/test-host.ts';

const forMachines = ['/healthz', '/readyz', '/metrics'];

test('with OPERATIONS_PORT, health, readiness and metrics are served there, on the same HOST, and nowhere else', async () => {
  const host = await startTestHost({ OPERATIONS_PORT: '0' });
  onTestFinished(() => host.close());
  const operations = host.host.operationsUrl ?? '';
  expect(new URL(operations).hostname).toBe(new URL(host.url).hostname);
  const statuses = (base: string, paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await fetch(`${base}${path}`)).status));
  expect(await statuses(operations, forMachines)).toEqual([200, 200, 200]);
  expect(await statuses(host.url, forMachines)).toEqual([404, 404, 404]);
  expect(await statuses(operations, ['/v1/admin/pools', '/openapi.json', '/'])).toEqual([404, 404, 404]);
  expect(await statuses(host.url, ['/openapi.json'])).toEqual([200]);
  const document = await (await fetch(`${host.url}/openapi.json`)).json();
  expect(Object.keys(document.paths).filter((path) => forMachines.includes(path))).toEqual([]);
  // The requests of the API are counted all the same.
  const metrics = async () => (await fetch(`${operations}/metrics`)).text();
  await expect
    .poll(metrics)
    .toContain('http_request_duration_seconds_count{method="GET",route="/openapi.json"');
  host.host.drain();
  expect(await statuses(operations, ['/readyz', '/healthz'])).toEqual([503, 200]);
});

import { expect, onTestFinished, test } from 'vitest';
import { longTest } from '../harness/form.ts';
import { spawnHost } from '../harness/spawned-host.ts';
import { adminToken, encryptionKeys, startTestHost } from '../harness/test-host.ts';

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

longTest('the host prints its address, and does not start if the port is taken', async () => {
  const first = await startTestHost();
  onTestFinished(() => first.close());
  const variables = {
    DATABASE_URL: first.databaseUrl,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS: encryptionKeys,
  };
  const host = spawnHost({ ...variables, OPERATIONS_PORT: '0' });
  await host.listening;
  const [, operations] = /^operations on (\S+)\nlistening on /m.exec(host.stdout()) ?? [];
  expect((await fetch(`${operations}/healthz`)).status).toBe(200);
  host.process.kill('SIGTERM');
  expect(await host.ended).toBe(0);
  await expect(fetch(`${operations}/healthz`)).rejects.toThrow();
  const taken = spawnHost({ ...variables, OPERATIONS_PORT: new URL(first.url).port, LOG_LEVEL: 'silent' });
  expect(await taken.ended).toBe(1);
  expect(taken.stderr()).toContain('OPERATIONS_PORT: another program listens');
});

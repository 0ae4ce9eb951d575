import { until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startOwnPostgres } from '../harness/own-postgres.ts';
import { startTestHost } from '../harness/test-host.ts';

test('a primary that has become a standby: not ready, 503 for what would be written, and all well once it is primary again', async () => {
  const server = await startOwnPostgres();
  const host = await startTestHost({ DATABASE_URL: server.url });
  onTestFinished(async () => {
    await host.close();
    await server.remove();
  });
  const { accessToken } = await host.preparePool('p');
  const sign = (id: string) => host.call('POST', '/v1/pools/p/waivers', { id, answers: { name: 'Ada' } });
  const readiness = async () => (await host.call('GET', '/readyz')).status;
  // The audit log records a person's reads first, and the first use of a token is recorded, too: not on a standby.
  const read = () => host.call('GET', '/v1/pools/p/waivers', undefined, { token: accessToken });
  expect((await read()).status).toBe(200);
  expect(await readiness()).toBe(200);
  expect((await sign('W-before')).status).toBe(201);

  await server.stop();
  server.becomeStandby();
  await server.start();
  await until(async () => (await read()).status === 200, 'the standby to answer', 60_000);
  const refused = await sign('W-during');
  expect(refused).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('5');
  // Readiness is cached for a quarter of a second.
  await until(async () => (await readiness()) === 503, 'the host to be ready no more');
  expect((await host.call('GET', '/healthz')).status).toBe(200);

  await server.stop();
  server.becomePrimary();
  await server.start();
  await until(async () => (await readiness()) === 200, 'the host to be ready again', 60_000);
  expect((await sign('W-during')).status).toBe(201);
});

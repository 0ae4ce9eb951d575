import { adminToken, longTest } from '@waiver-service/testing';
import { expect, onTestFinished } from 'vitest';
import { spawnHost } from '../harness/spawned-host.ts';
import { encryptionKeys, startTestHost } from '../harness/test-host.ts';

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

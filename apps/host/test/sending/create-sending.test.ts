import { randomBytes } from 'node:crypto';
import { createOutbound } from '@waiver-service/outbound';
import { openStore, type PausePolicy } from '@waiver-service/store';
import { createTestDatabase } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { Sending } from '../../src/sending/create-sending.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { adminToken, encryptionKeys, until } from '../harness/test-host.ts';

test('the settings of pauses and retention take effect', async () => {
  const database = await createTestDatabase();
  const store = await openStore({
    databaseUrl: database.url,
    encryptionKeys: [{ id: 'test', key: randomBytes(32) }],
  });
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], timeoutMs: 5_000 });
  const policies: PausePolicy[] = [];
  const retentions: number[] = [];
  const sending = new Sending(
    readSettings({
      DATABASE_URL: database.url,
      ADMIN_TOKEN: adminToken,
      ENCRYPTION_KEYS: encryptionKeys,
      PAUSE_AFTER: '7h',
      PROBE_INTERVAL: '11m',
      ATTEMPT_RETENTION: '13d',
    }),
    {
      ...store,
      outbox: {
        ...store.outbox,
        recordHealth: async (health, policy) => {
          policies.push(policy);
          return store.outbox.recordHealth(health, policy);
        },
        pruneAttempts: async (retentionMs) => {
          retentions.push(retentionMs);
          return 0;
        },
      },
    },
    outbound,
    {
      connect: () => {
        throw new Error('nothing is installed');
      },
    },
    {
      read: () => Promise.reject(new Error('nothing is read')),
      readNow: () => Promise.reject(new Error('nothing is read')),
    },
    undefined,
    () => {},
  );
  onTestFinished(async () => {
    await sending.stop();
    await store.close();
    await outbound.close();
    await database.drop();
  });
  await store.pools.put({ id: 'p1', name: 'One' });
  await store.webhooks.create('p1', {
    // Nothing listens there: the first attempt fails.
    url: 'http://127.0.0.1:1/',
    auth: { type: 'none' },
    properties: [],
    signing: false,
  });
  await store.waivers.create({ id: 'w1', pool: 'p1' });
  sending.start();
  await until(async () => policies.length > 0, 'a failure to be recorded');
  expect(policies[0]).toMatchObject({ pauseAfterMs: 7 * 3_600_000, probeIntervalMs: 11 * 60_000 });
  expect(retentions).toEqual([13 * 86_400_000]);
});

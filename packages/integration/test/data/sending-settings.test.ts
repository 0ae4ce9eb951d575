import type { PausePolicy } from '@waiver-service/outbox';
import { openTestStore } from '@waiver-service/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { Sending } from '../../src/sending/create-sending.ts';

const hourMs = 3_600_000;

test('the settings of pauses and retention take effect', async () => {
  const { store, close } = await openTestStore();
  const policies: PausePolicy[] = [];
  const retentions: number[] = [];
  const sending = new Sending(
    {
      retrySchedule: [0],
      outboundTimeout: 5_000,
      deliveryConcurrency: 64,
      destinationConcurrency: 8,
      pauseAfter: 7 * hourMs,
      probeInterval: 11 * 60_000,
      attemptRetention: 13 * 24 * hourMs,
      pruneInterval: hourMs,
    },
    {
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
    [{ kind: 'guestWebhook', send: () => Promise.reject(new Error('nothing listens there')) }],
    [],
  );
  onTestFinished(async () => {
    await sending.stop();
    await close();
  });
  await store.pools.put({ id: 'p1', name: 'One' });
  await store.webhooks.create('p1', {
    url: 'http://127.0.0.1:1/',
    auth: { type: 'none' },
    properties: [],
    signing: false,
  });
  await store.waivers.create({ id: 'w1', pool: 'p1' });
  sending.start();
  await expect.poll(() => policies).not.toEqual([]);
  expect(policies[0]).toMatchObject({ pauseAfterMs: 7 * hourMs, probeIntervalMs: 11 * 60_000 });
  expect(retentions).toEqual([13 * 24 * hourMs]);
});

import { setTimeout as delay } from 'node:timers/promises';
import { untilShardsShared } from '@waiver-service/store/testing';
import { expect, test, vi } from 'vitest';
import { addWebhook, dispatch, install, openService, waiver } from '../setup/service.ts';

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

test('a long send keeps its lease: no other host takes it', async () => {
  // Renewed after a third of it, so the machine may stall for some seconds.
  const lease = { leaseMs: 9_000, leaseMarginMs: 100 };
  const service = await openService();
  const release = Promise.withResolvers<void>();
  let sends = 0;
  await install(service.store);
  const senders = {
    guestUpdate: async () => {
      sends += 1;
      await release.promise;
      return { outcome: 'accepted', durationMs: 1 } as const;
    },
    guestWebhook: () => Promise.reject(new Error('not used')),
    alert: () => Promise.reject(new Error('not used')),
    invitation: () => Promise.reject(new Error('not used')),
  };
  dispatch(service, { senders, ...lease });
  dispatch({ ...service, store: await service.again() }, { senders, ...lease });
  await service.store.waivers.create(waiver({ id: 'w1', bookingSystem: 'standard', bookingId: 'b1' }));
  // Without a renewal, the lease would have expired.
  await delay(lease.leaseMs + 2_000);
  expect(sends).toBe(1);
  release.resolve();
  await until(async () => {
    expect(await service.store.waivers.deliveriesOf('p1', 'w1')).toMatchObject([{ state: 'delivered' }]);
  });
  expect(sends).toBe(1);
});

test('a host that joins is given its share as soon as nothing of it is being sent, and one that stops gives its own back', async () => {
  const service = await openService();
  const release = Promise.withResolvers<void>();
  let sends = 0;
  const senders = {
    guestUpdate: () => Promise.reject(new Error('not used')),
    alert: () => Promise.reject(new Error('not used')),
    invitation: () => Promise.reject(new Error('not used')),
    guestWebhook: async () => {
      sends += 1;
      await release.promise;
      return { outcome: 'accepted', durationMs: 1 } as const;
    },
  };
  // With this lease, it rarely checks for other dispatchers itself: it depends on notifications.
  const options = { senders, leaseMs: 3_600_000, concurrency: 200 };
  // More than half of the shards have something to send.
  for (const pool of ['p1', 'p2', 'p3', 'p4', 'p5']) {
    await service.store.pools.put({ id: pool, name: pool });
    for (let number = 0; number < 20; number += 1) {
      await addWebhook(service.store, `https://example.com/${number}`, { pool });
    }
    await service.store.waivers.create(waiver({ id: `w-${pool}`, pool }));
  }
  dispatch(service, options);
  await until(() => expect(sends).toBe(100));
  const joining = dispatch({ ...service, store: await service.again() }, options);
  release.resolve();
  await untilShardsShared(service.databaseUrl, 2);
  await joining.dispatcher.stop();
  await untilShardsShared(service.databaseUrl, 1);
});

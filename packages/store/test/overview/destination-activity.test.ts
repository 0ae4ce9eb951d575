import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { openStore } from '../../src/index.ts';
import { createActivityCounter } from '../../src/overview/activity-counter.ts';
import { testKey } from '../setup/open-test-store.ts';
import { claimOne, deliver, openOutbox, refuse, waiver } from '../setup/outbox-fixture.ts';

const walkIn = { bookingId: null, bookingSystem: null, bookingGuestId: null } as const;
const hourMs = 3_600_000;
const request = { since: new Date(Math.floor(Date.now() / hourMs) * hourMs - 23 * hourMs), bucketMs: hourMs };

test('what destinations took and refused is counted, also by a host that ends', async () => {
  const keys = [testKey()];
  const { store, url, query } = await openOutbox({ installed: false, keys });
  for (const id of ['w1', 'w2']) {
    await store.waivers.create(waiver({ id, ...walkIn }));
    await deliver(store, await claimOne(store));
  }
  await store.waivers.create(waiver({ id: 'w3', ...walkIn }));
  await refuse(store, await claimOne(store), hourMs);
  await store.close();
  expect(await query('select delivered, failed from destination_activity')).toEqual([
    { delivered: 2, failed: 1 },
  ]);

  const again = await openStore({ databaseUrl: url, encryptionKeys: keys });
  onTestFinished(() => again.close());
  const [destination] = (await again.destinations.list({ limit: 1 })).items;
  const page = await again.destinationActivities.list({ ...request, limit: 10 });
  expect(page).toEqual({
    items: [{ destination: destination?.id, buckets: [{ at: expect.any(Date), delivered: 2, failed: 1 }] }],
    next: null,
  });
  expect((page.items[0]?.buckets[0]?.at.getTime() ?? 0) % hourMs).toBe(0);
  expect((await again.destinationActivities.list({ ...request, limit: 10, pools: ['p2'] })).items).toEqual(
    [],
  );
});

test('counts of several hosts add up; a failure to write loses none; old ones are removed', async () => {
  const { store, url, query } = await openOutbox({ installed: false });
  await store.waivers.create(waiver({ id: 'w1', ...walkIn }));
  const claimed = await claimOne(store);
  const at = new Date();
  const finished = (outcome: 'accepted' | 'refused' | 'own-fault') => ({
    ...claimed,
    decision: { kind: 'delivered' as const },
    attempt: { at, durationMs: 1, outcome, trigger: 'schedule' as const },
  });
  const database = connect({
    databaseUrl: url,
    maxConnections: 2,
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  const [one, other] = [createActivityCounter(database), createActivityCounter(database)];
  one.count([finished('accepted'), finished('refused'), finished('own-fault')]);
  other.count([finished('accepted')]);
  await query('alter table destination_activity rename to away');
  await expect(one.flush()).rejects.toThrow('destination_activity');
  await query('alter table away rename to destination_activity');
  await Promise.all([one.flush(), other.flush()]);
  await one.flush();
  expect(await query('select delivered, failed from destination_activity')).toEqual([
    { delivered: 2, failed: 1 },
  ]);

  await query(`insert into destination_activity
    select 'd', now() - interval '9 days' - n * interval '15 minutes', 1, 0 from generate_series(1, 3000) n`);
  expect(await one.job.runBatch()).toBe(true);
  expect(await one.job.runBatch()).toBe(false);
  expect(await query('select count(*)::integer as left from destination_activity')).toEqual([{ left: 1 }]);
});

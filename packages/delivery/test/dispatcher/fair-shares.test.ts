import { createOutbound } from '@waiver-service/outbound';
import { expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../setup/receiver.ts';
import { dispatch, openService, waiver } from '../setup/service.ts';

async function openWithSlowPool(webhooks: number) {
  const service = await openService();
  // The tests end calls themselves.
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], timeoutMs: 60_000 });
  onTestFinished(() => outbound.close());
  const held: (() => void)[] = [];
  let isOver = false;
  const slow = await startReceiver((_, response) => {
    if (isOver) response.end();
    else held.push(() => response.end());
  });
  const addWebhook = (pool: string, url: string) =>
    service.store.webhooks.create(pool, { url, auth: { type: 'none' }, properties: [], signing: false });
  for (let i = 0; i < webhooks; i += 1) await addWebhook('p1', `${slow.url}/${i}`);
  await service.store.pools.put({ id: 'p2', name: 'Pool 2' });
  const start = (options: { readonly concurrency: number }) => {
    const dispatcher = dispatch({ ...service, outbound }, options);
    // Runs before the dispatcher is stopped, which would wait for the calls.
    onTestFinished(() => {
      isOver = true;
      for (const release of held) release();
    });
    return dispatcher;
  };
  return { ...service, slow, held, addWebhook, start };
}

test('twenty webhooks of one pool that answer slowly keep no slot from another pool', async () => {
  const service = await openWithSlowPool(20);
  const { store, slow } = service;
  for (let i = 0; i < 4; i += 1) await store.waivers.create(waiver({ id: `slow-${i}` }));
  service.start({ concurrency: 16 });
  // Half of the slots, and no more while another pool may need one.
  await slow.count(8);
  const quick = await startReceiver();
  await service.addWebhook('p2', quick.url);
  for (let i = 0; i < 20; i += 1) await store.waivers.create(waiver({ id: `quick-${i}`, pool: 'p2' }));
  await quick.count(20);
  expect(slow.received).toHaveLength(8);
});

test('if slow calls use every slot, the first free one goes to the pool that has none', async () => {
  const service = await openWithSlowPool(20);
  const { store, slow, held } = service;
  for (let i = 0; i < 3; i += 1) await store.waivers.create(waiver({ id: `slow-${i}` }));
  // With one slot there is nothing to keep free.
  service.start({ concurrency: 1 });
  await slow.count(1);
  const quick = await startReceiver();
  await service.addWebhook('p2', quick.url);
  await store.waivers.create(waiver({ id: 'quick', pool: 'p2' }));
  // Once it waits for a slot, too, ends one slow call after the other.
  while (quick.received.length === 0) {
    const { items } = await store.deliveries.list({ pools: ['p2'], state: 'sending' }, { limit: 10 });
    if (items.length === 0) continue;
    const before = slow.received.length;
    held.at(-1)?.();
    await Promise.race([quick.count(1), slow.count(before + 2)]);
    expect(slow.received.length).toBeLessThan(before + 2);
  }
});

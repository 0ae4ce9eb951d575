import { setTimeout as delay } from 'node:timers/promises';
import { createOutbound } from '@waiver-service/outbound';
import { expect, onTestFinished, test } from 'vitest';
import {
  addWebhook,
  dispatch,
  install,
  openService,
  openWithWebhook,
  type Service,
  startReceiver,
  status,
  until,
  waiver,
  warmUp,
  warmUps,
} from '../setup/service.ts';

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

async function storeWaivers({ store }: Service, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await store.waivers.create(waiver({ id: `w${i}` }));
}

async function attemptsOf({ store }: Service, waiverId: string): Promise<number> {
  const [delivery] = await store.waivers.deliveriesOf('p1', waiverId);
  return (await store.deliveries.get(delivery?.id ?? ''))?.attempts.length ?? Number.NaN;
}

test('a stop records what is in flight and gives back what was claimed ahead: nothing of that was sent or is recorded', async () => {
  const { service, receiver } = await openWithWebhook();
  const { dispatcher } = dispatch(service, { concurrency: 1 });
  // Only destinations known to be quick have more claimed than there are slots.
  await warmUp(service);
  let answer = () => {};
  receiver.answerWith((_, response) => {
    answer = () => response.end();
  });
  await storeWaivers(service, 3);
  await receiver.count(warmUps + 1);
  await until(async () => {
    expect((await service.store.deliveries.list({ state: 'sending' }, { limit: 10 })).items).toHaveLength(3);
  });
  const stopped = dispatcher.stop();
  await until(async () => {
    expect((await service.store.deliveries.list({ state: 'sending' }, { limit: 10 })).items).toHaveLength(1);
  });
  answer();
  await stopped;
  await dispatcher.stop();
  expect(dispatcher.inFlight).toBe(0);
  const delivered = () => service.store.deliveries.list({ state: 'delivered' }, { limit: 100 });
  expect((await delivered()).items).toHaveLength(warmUps + 1);
  expect((await service.store.deliveries.list({ state: 'sending' }, { limit: 10 })).items).toEqual([]);
  expect(receiver.received).toHaveLength(warmUps + 1);
  expect(await attemptsOf(service, 'w1')).toBe(0);
  receiver.answerWith(status(200));
  dispatch(service);
  await until(async () => expect((await delivered()).items).toHaveLength(warmUps + 3));
  expect(receiver.received).toHaveLength(warmUps + 3);
  expect(await attemptsOf(service, 'w1')).toBe(1);
});

test('messages that wait for a slot while their destination fails are given back, and others are sent instead', async () => {
  const service = await openService();
  const failing = await startReceiver(status(500));
  const fine = await startReceiver();
  await addWebhook(service.store, failing.url);
  await storeWaivers(service, 6);
  await addWebhook(service.store, fine.url);
  await service.store.waivers.create(waiver({ id: 'last' }));
  dispatch(service, {
    concurrency: 2,
    policy: { retrySchedule: [0, 60_000], pauseAfterMs: 60_000, probeIntervalMs: 60_000 },
  });
  await fine.count(1);
  await failing.count(7);
  await until(async () => {
    for (let i = 0; i < 6; i += 1) expect(await attemptsOf(service, `w${i}`)).toBe(1);
  });
  expect(failing.received).toHaveLength(7);
});

test('reserved requests are made within their time or not at all, so no window has more', async () => {
  const service = await openService();
  const system = await startReceiver();
  const slow = await startReceiver(async (_, response) => {
    await delay(300);
    response.end();
  });
  await install(service.store, 'waiver', {
    per: 'installation',
    windows: [{ requests: 3, windowMs: 1_000 }],
  });
  await addWebhook(service.store, slow.url);
  for (let i = 0; i < 8; i += 1) {
    await service.store.waivers.create(
      waiver({ id: `w${i}`, bookingSystem: 'standard', bookingId: `b${i}` }),
    );
  }
  // One slot, which the webhooks occupy for longer than a grant lasts.
  dispatch(service, { concurrency: 1, guestUpdateUrl: system.url });
  const received = await system.count(8);
  for (const { startedAt } of received) {
    const inWindow = received.filter(
      (one) => one.startedAt >= startedAt && one.startedAt < startedAt + 1_000,
    );
    expect(inWindow.length).toBeLessThanOrEqual(3);
  }
  expect(new Set(received.map(({ body }) => body)).size).toBe(8);
});

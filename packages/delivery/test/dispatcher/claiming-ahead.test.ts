import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { startReceiver, status } from '../setup/receiver.ts';
import {
  addWebhook,
  dispatch,
  install,
  openService,
  type Service,
  waiver,
  warmUp,
  warmUps,
} from '../setup/service.ts';

const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

async function storeWaivers({ store }: Service, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await store.waivers.create(waiver({ id: `w${i}` }));
}

async function attemptsOf({ store }: Service, waiverId: string): Promise<number> {
  const [delivery] = await store.waivers.deliveriesOf('p1', waiverId);
  return (await store.deliveries.get(delivery?.id ?? ''))?.attempts.length ?? Number.NaN;
}

test('a stop gives back messages claimed ahead: nothing was sent, nothing is recorded', async () => {
  const service = await openService();
  const receiver = await startReceiver();
  await addWebhook(service.store, receiver.url);
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
  expect(receiver.received).toHaveLength(warmUps + 1);
  expect(await attemptsOf(service, 'w1')).toBe(0);
  receiver.answerWith(status(200));
  dispatch(service);
  await until(async () => {
    expect((await service.store.deliveries.list({ state: 'delivered' }, { limit: 100 })).items).toHaveLength(
      warmUps + 3,
    );
  });
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

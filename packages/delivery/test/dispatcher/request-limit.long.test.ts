import { expect, test } from 'vitest';
import { addWebhook, dispatch, install, openService, startReceiver, waiver } from '../setup/service.ts';

const windowMs = 3_000;
// A request counts when it is granted, and arrives a moment later: on a busy machine, one of them much later than another.
const latenessMs = 1_000;

test('two hosts together send no more to a limited booking system in any of its windows; no attempt is used by waiting', async () => {
  const service = await openService();
  const receiver = await startReceiver();
  const hook = await startReceiver();
  await install(service.store, 'waiver', {
    per: 'installation',
    windows: [{ requests: 5, windowMs }],
  });
  await addWebhook(service.store, hook.url);
  for (let i = 0; i < 14; i += 1) {
    await service.store.waivers.create(
      waiver({ id: `w${i}`, bookingSystem: 'standard', bookingId: `b${i}` }),
    );
  }
  for (const store of [service.store, await service.again()]) {
    dispatch({ ...service, store }, { guestUpdateUrl: receiver.url });
  }
  // Destinations without a limit do not wait for limited ones.
  await hook.count(14);
  expect(receiver.received.length).toBeLessThan(14);
  const waiting = await service.store.deliveries.list({ state: 'waiting' }, { limit: 20 });
  expect(waiting.items.length).toBeGreaterThan(0);
  const received = await receiver.count(14);
  for (const { startedAt } of received) {
    const inWindow = received.filter(
      (one) => one.startedAt >= startedAt && one.startedAt < startedAt + windowMs - latenessMs,
    );
    expect(inWindow.length).toBeLessThanOrEqual(5);
  }
  const [last] = await service.store.waivers.deliveriesOf('p1', 'w13');
  expect(last?.attempts).toBeLessThanOrEqual(1);
});
